import Bitcoin
import TapProtocol

/// Moves a TAPSIGNER or SATSCHIP to other paths, to read keys or to sign a message there, and back.
///
/// A card has only one path, but programs for hardware wallets ask for keys at any. So the card is moved, and the
/// journal keeps its own path until it is back.
package struct PathVisitFlow: Sendable {
    private let driver: CardDriver
    private let cvc: CVC

    /// A flow for one card and its CVC.
    package init(driver: CardDriver, cvc: CVC) {
        self.driver = driver
        self.cvc = cvc
    }

    /// The extended keys at these paths, and the master key's fingerprint.
    ///
    /// Wire: `check`, `certs`, `xpub`; `derive`, `status` for each path that is not the card's own, including the
    /// master key's unless the store has it as proven; `sign` (the probe) for each key that the store does not have; to
    /// move back, `status`, `derive`, `status`. Verified: the probe of each key.
    /// - Parameter paths: each up to 8 hardened steps; empty: only the fingerprint is wanted.
    /// - Throws: `FlowError.badPath`, and what `AccountFlow.keys()` throws.
    package func keys(at paths: [DerivationPath]) async throws(FlowError) -> SignerKeys {
        for path in paths where CardPath(path)?.subpath.steps.isEmpty != true { throw .badPath(path) }
        let prover = AccountProver(journal: driver.journal, cvc: cvc)
        let m = DerivationPath()
        let (own, known) = try await driver.performAuthenticated(task: .readAccount) { session in
            let own = session.status.path ?? m
            // Always asked for, so that a wrong CVC is detected before the card is moved.
            var accounts = [own: try prover.key(at: own, on: session)]
            accounts[m] = try accounts[m] ?? prover.knownMasterKey(on: session)
            return (own, accounts)
        }
        var accounts = known
        let others = ([m] + paths).filter { known[$0] == nil }
        try await visiting(others, from: own) { () async throws(FlowError) in
            for path in others where accounts[path] == nil {
                driver.events(.changingPath(path))
                accounts[path] = try await driver.perform { try prover.key(at: path, on: $0) }
            }
        }
        guard let master = accounts[m] else { throw .unexpected("PathVisitFlow") }
        return SignerKeys(masterFingerprint: master.fingerprint, accounts: accounts)
    }

    /// Signs a message with the key at a path, as `MessageFlow` does below the card's own path.
    /// - Parameters:
    ///   - path: up to 8 hardened steps, then up to 2 unhardened ones.
    ///   - kind: the kind of the signing address.
    ///   - network: the network of that address.
    /// - Throws: `FlowError.badPath`, and what `MessageFlow.sign` throws.
    ///
    /// Spec: BIP-137.
    package func sign(
        _ message: [UInt8], at path: DerivationPath, as kind: ScriptKind, network: Network
    ) async throws(FlowError) -> MessageSignature {
        guard let cardPath = CardPath(path) else { throw .badPath(path) }
        let own = try await driver.performAuthenticated(task: .signMessage) {
            $0.status.path ?? DerivationPath()
        }
        let flow = MessageFlow(driver: driver, cvc: cvc, network: network)
        let (account, subpath) = (cardPath.account, cardPath.subpath)
        return try await visiting([account].filter { $0 != own }, from: own) { () async throws(FlowError) in
            if account != own { driver.events(.changingPath(account)) }
            // Without releasing the card: another program could move it in between.
            return try await flow.sign(message, at: subpath, below: account, as: kind, format: .bip137)
        }
    }

    /// Signs a digest with the key at a hardened path itself. The caller compares the key that signed.
    func sign(
        _ digest: Digest, at account: DerivationPath, for task: CardTask
    ) async throws(FlowError) -> CardSignature {
        guard CardPath(account)?.subpath.steps.isEmpty == true else { throw .badPath(account) }
        let own = try await driver.performAuthenticated(task: task) { $0.status.path ?? DerivationPath() }
        let cvc = cvc
        return try await visiting([account].filter { $0 != own }, from: own) { () async throws(FlowError) in
            if account != own { driver.events(.changingPath(account)) }
            return try await driver.performAuthenticated(task: task) { session in
                if session.status.path ?? DerivationPath() != account { _ = try session.setPath(account, cvc: cvc) }
                return try session.sign(digest: digest, subpath: DerivationPath(), cvc: cvc)
            }
        }
    }

    /// Does something that moves the card, and moves it back, even from where an interrupted run left it. If that
    /// fails, the journal keeps the entry.
    private func visiting<Result>(
        _ others: [DerivationPath], from present: DerivationPath, _ body: () async throws(FlowError) -> Result
    ) async throws(FlowError) -> Result {
        let own = try driver.journal.owedPath(from: present) ?? present
        if !others.isEmpty { try AccountProver.requireReturn(to: own) }
        guard let away = others.first ?? (own == present ? nil : present) else {
            let result = try await body()
            // An interrupted run moved the card back, but did not record it.
            try driver.journal.finish(.derive)
            return result
        }
        try driver.journal.record(.derive(DeriveState(from: away, to: own)))
        let result: Result
        do throws(FlowError) { result = try await body() } catch {
            // A CVC that the card refused is not sent again to move it back: that would cost another try.
            guard !error.refusesCVC else {
                if await driver.isAt(own) { try driver.journal.finishPathChange() }
                throw error
            }
            try await comeBack(to: own, isPatient: false)
            throw error
        }
        try await comeBack(to: own, isPatient: true)
        return result
    }

    private func comeBack(to own: DerivationPath, isPatient: Bool) async throws(FlowError) {
        guard await driver.restorePath(own, cvc: cvc, isPatient: isPatient) else { return }
        try driver.journal.finishPathChange()
    }
}

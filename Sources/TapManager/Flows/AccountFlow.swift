import Bitcoin
import TapProtocol

/// Reads the card's extended key, and moves the card's path.
package struct AccountFlow: Sendable {
    private let driver: CardDriver
    private let cvc: CVC

    /// A flow for one card and its CVC.
    package init(driver: CardDriver, cvc: CVC) {
        self.driver = driver
        self.cvc = cvc
    }

    /// The account at the card's own path, and the master extended key, by which all of the card's keys can be
    /// recognized; hardened accounts cannot be derived from it.
    ///
    /// Wire: `check`, `certs`, `xpub`; `sign` (the probe) unless the store has the account as proven; `derive`,
    /// `status`, `sign` at `m` and `derive`, `status` back unless it has the master key, which `xpub` must then match.
    /// Verified: both probes.
    /// - Throws: `FlowError.card` with `.badProof(.account)`, `.notSetUp`, `.wrongProduct`, `.notGenuine`, `.store`, ….
    package func keys() async throws(FlowError) -> (account: Account, master: ExtendedPublicKey) {
        let prover = AccountProver(journal: driver.journal, cvc: cvc)
        return try await driver.performAuthenticated(task: .readAccount) { session in
            try prover.atHome(on: session, telling: driver.events) { home, key in
                let master = try prover.masterKey(on: session, home: home, homeKey: key)
                return (Account(masterFingerprint: master.fingerprint, path: home, key: key), master)
            }
        }
    }

    /// Moves the card to a path.
    ///
    /// Wire: `check`, `certs`, `derive`, `status`, then as for `keys()`.
    /// - Parameter path: up to 8 hardened steps.
    /// - Throws: `FlowError.badPath`, and what `keys()` throws.
    package func derive(_ path: DerivationPath) async throws(FlowError) -> Account {
        guard CardPath(path)?.subpath.steps.isEmpty == true else { throw .badPath(path) }
        let (driver, prover) = (driver, AccountProver(journal: driver.journal, cvc: cvc))
        let account = try await driver.journal.strikingOutRefused(
            .derive, ifTrue: { await driver.isWhereItWas() }
        ) { () throws(FlowError) in
            try await driver.performAuthenticated(task: .derive) { session in
                let present = session.status.path ?? DerivationPath()
                if present != path {
                    try driver.journal.record(.derive(DeriveState(from: present, to: path)))
                }
                driver.events(.changingPath(path))
                return try prover.account(at: path, on: session)
            }
        }
        try driver.journal.choosePath(path)
        return account
    }
}

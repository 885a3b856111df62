import Bitcoin
import TapProtocol

/// A card's extended key at its path, proven, with its place below the master key.
public struct Account: Sendable, Equatable {
    /// The master key's fingerprint.
    public let masterFingerprint: Fingerprint
    /// Hardened steps from the master key.
    public let path: DerivationPath
    /// The key at the path. Its parent fingerprint is zero: the card does not tell it.
    public let key: ExtendedPublicKey

    /// An account from its parts.
    public init(masterFingerprint: Fingerprint, path: DerivationPath, key: ExtendedPublicKey) {
        self.masterFingerprint = masterFingerprint
        self.path = path
        self.key = key
    }
}

/// Reads the card's extended key, and moves the card's path.
public struct AccountFlow: Sendable {
    private let gate: CardGate
    private let cvc: CVC

    /// A flow for one card and its CVC.
    public init(gate: CardGate, cvc: CVC) {
        self.gate = gate
        self.cvc = cvc
    }

    /// The account at the card's present path.
    ///
    /// Wire: `check`, `certs`, `derive` at the present path, `status`, two times `xpub`, `read`. Verified: the signature of
    /// `derive`, that `xpub` agrees with it for both keys, and that the card holds the key (`read`).
    public func account() async throws(FlowError) -> Account {
        let cvc = cvc
        return try await gate.performAuthenticated(task: "show an xpub") { session in
            try Self.account(at: session.status.path ?? DerivationPath(), on: session, cvc: cvc)
        }
    }

    /// The master extended key, with which all of the card's keys can be recognized but hardened accounts not derived.
    ///
    /// Wire and verified: as for `account()`.
    public func masterKey() async throws(FlowError) -> ExtendedPublicKey {
        let cvc = cvc
        return try await gate.performAuthenticated(task: "show an xpub") { session in
            _ = try Self.account(at: session.status.path ?? DerivationPath(), on: session, cvc: cvc)
            return try session.extendedPublicKey(master: true, cvc: cvc)
        }
    }

    /// Moves the card to a path.
    /// - Parameter path: up to 8 hardened steps.
    /// - Throws: `FlowError.badPath`, and what `account()` throws.
    public func derive(_ path: DerivationPath) async throws(FlowError) -> Account {
        guard CardPath(path)?.subpath.steps.isEmpty == true else { throw .badPath(path) }
        let (cvc, gate) = (cvc, gate)
        let account = try await gate.journal.strikingOutRefused(.derive) { () throws(FlowError) in
            try await gate.performAuthenticated(task: "derive") { session in
                let present = session.status.path ?? DerivationPath()
                if present != path {
                    try gate.journal.record(.derive(DeriveState(from: present.description, to: path.description)))
                }
                gate.events(.changingPath(path))
                return try Self.account(at: path, on: session, cvc: cvc)
            }
        }
        // Whatever path an interrupted run was to bring the card to, or back to, the person chose this one since.
        try gate.journal.finishPathChange()
        return account
    }

    /// Moves the card to a path, or leaves it there, and proves the extended key it has there.
    static func account(at path: DerivationPath, on session: TapSession, cvc: CVC) throws(TapError) -> Account {
        let key = try session.provenKey(at: path, cvc: cvc)
        let master = try session.extendedPublicKey(master: true, cvc: cvc)
        return Account(masterFingerprint: master.fingerprint, path: path, key: key)
    }
}

extension TapSession {
    /// Moves the card to a path, or leaves it there, and proves that it holds the key that it names there.
    func provenKey(at path: DerivationPath, cvc: CVC) throws(TapError) -> ExtendedPublicKey {
        let key = try setPath(path, cvc: cvc)
        guard try read(cvc: cvc) == key.publicKey else {
            throw .badProof(.extendedKey, detail: "`read` proves another key than `xpub` names")
        }
        return key
    }
}

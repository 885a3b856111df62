import TapProtocol

/// Fetches the card's encrypted backup.
public struct BackupFlow: Sendable {
    /// A backup, as the card gave it.
    public struct Backup: Sendable, Equatable {
        /// AES-128-CTR ciphertext; the key is printed on the card.
        public let ciphertext: [UInt8]
        /// How many backups the card has counted, at most 127.
        public let count: Int
    }

    private let gate: CardGate
    private let cvc: CVC

    /// A flow for one card and its CVC.
    public init(gate: CardGate, cvc: CVC) {
        self.gate = gate
        self.cvc = cvc
    }

    /// Fetches a backup. Repeated after an interruption it is the same data, and the card's count goes up by one more.
    ///
    /// Wire: `check`, `certs`, `backup`, `status`.
    /// - Throws: `FlowError.wrongProduct` for cards without a backup.
    public func backup() async throws(FlowError) -> Backup {
        let (cvc, events) = (cvc, gate.events)
        return try await gate.performAuthenticated(task: "make a backup", on: [.tapsigner]) { session in
            events(.backingUp)
            return try Self.fetch(on: session, cvc: cvc)
        }
    }

    static func fetch(on session: TapSession, cvc: CVC) throws(TapError) -> Backup {
        let ciphertext = try session.backup(cvc: cvc)
        return Backup(ciphertext: ciphertext, count: session.status.backupCount ?? 0)
    }
}

/// What is remembered about the loss drill of a wallet: its kits for heirs, and the rehearsals of spending with nothing
/// else than a kit and backups.
package struct WalletDrill: Sendable, Hashable {
    /// When each kit was written, by the SHA-256 of its main document, 32 bytes.
    package let kits: [[UInt8]: UnixTime]
    /// When a rehearsal last proved each spending path, by the path's number from 1.
    package let proven: [Int: UnixTime]

    /// By default, of a wallet without either.
    package init(kits: [[UInt8]: UnixTime] = [:], proven: [Int: UnixTime] = [:]) {
        (self.kits, self.proven) = (kits, proven)
    }

    /// When a kit was last written; `nil`: never.
    package var kitWritten: UnixTime? { kits.values.max() }

    /// The time of the oldest of the proofs; `nil`: nothing was proven yet.
    package var oldestProof: UnixTime? { proven.values.min() }

    /// How long a rehearsal counts, in seconds: a year.
    static let validity: Int64 = 365 * 24 * 3_600

    /// Whether it is time to rehearse: there is a kit that was never rehearsed, or one of the proofs is more than a year
    /// old.
    package func isDue(at time: UnixTime) -> Bool {
        guard let oldestProof else { return !kits.isEmpty }
        return time.seconds - oldestProof.seconds > Self.validity
    }
}

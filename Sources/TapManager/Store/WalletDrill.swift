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

    /// When the newest kit was written, if it is newer than the one with this digest; `nil`: it is not. A kit from the future,
    /// which was written while the clock was wrong, makes no other one old.
    func kit(newerThan digest: [UInt8], at time: UnixTime) -> UnixTime? {
        guard let newest = kits.values.filter({ $0 <= time }).max() else { return nil }
        return kits[digest].map { $0 < newest } ?? true ? newest : nil
    }

    /// The time of the oldest of the proofs; `nil`: nothing was proven yet.
    package var oldestProof: UnixTime? { proven.values.min() }

    /// How long a rehearsal counts, in seconds: a year.
    static let validity: Int64 = 365 * 24 * 3_600

    /// Whether a kit was written after every proof.
    package var isKitNewer: Bool {
        guard let kitWritten, let newest = proven.values.max() else { return false }
        return kitWritten > newest
    }

    /// Whether it is time to rehearse: there is a kit, and a spending path was never proven, or nothing since the kit
    /// was written; or one of the proofs is more than a year old, or from the future, so that nobody knows its age.
    /// - Parameter paths: the numbers of the wallet's spending paths, which are only asked for if they matter; none if it has
    ///   too many to be rehearsed.
    func isDue(at time: UnixTime, paths: () -> [Int]) -> Bool {
        guard !proven.isEmpty else { return !kits.isEmpty && !paths().isEmpty }
        if proven.values.contains(where: { !Self.counts($0, at: time) }) { return true }
        return isKitNewer || !kits.isEmpty && paths().contains { proven[$0] == nil }
    }

    /// Whether a proof of this time still counts. The times are the store's, which can be any.
    private static func counts(_ proof: UnixTime, at time: UnixTime) -> Bool {
        let (age, overflows) = time.seconds.subtractingReportingOverflow(proof.seconds)
        return !overflows && (0...validity).contains(age)
    }
}

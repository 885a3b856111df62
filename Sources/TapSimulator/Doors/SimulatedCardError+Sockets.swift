import LocalSockets

extension SimulatedCardError {
    /// Does something with a socket's path; its failure is the card's.
    static func explaining<Result>(
        _ body: () throws(LocalSocketError) -> Result
    ) throws(SimulatedCardError) -> Result {
        do throws(LocalSocketError) { return try body() } catch {
            let kind: Kind =
                switch error.kind {
                case .badAddress: .badAddress
                case .inUse: .inUse
                case .exists: .exists
                case .failed: .fileFailed
                }
            throw SimulatedCardError(kind, error.message)
        }
    }
}

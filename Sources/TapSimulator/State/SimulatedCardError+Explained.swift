import ExplainedErrors

extension SimulatedCardError: ExplainedError {
    /// The code that all layers use for this kind.
    public var code: ErrorCode {
        switch kind {
        case .badOptions: .simBadOptions
        case .exists: .simFileExists
        case .notFound: .simFileNotFound
        case .inUse: .simInUse
        case .damaged: .simFileDamaged
        case .unreadable: .inputUnreadable
        case .fileFailed: .simFileFailed
        case .badAddress: .simBadAddress
        }
    }
}

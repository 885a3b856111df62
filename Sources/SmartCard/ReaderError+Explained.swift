import ExplainedErrors

extension ReaderError: ExplainedError {
    /// Its own code, or the one that all layers use for its kind; a wait that the caller ended is an interruption.
    public var code: ErrorCode { ownCode ?? kind.code }
}

extension ReaderError.Kind {
    /// The code for an error of this kind.
    public var code: ErrorCode {
        switch self {
        case .noService: .noService
        case .noReader: .noReader
        case .readerGone: .readerGone
        case .readerBusy: .readerBusy
        case .permissionDenied: .noPermission
        case .noCard: .noCard
        case .cardRemoved: .cardRemoved
        case .cardReset: .cardReset
        case .cardMute: .cardMute
        case .cancelled: .interrupted
        case .timedOut: .timedOut
        case .transportFailed: .transportFailed
        }
    }
}

import ExplainedErrors

extension ErrorCode {
    /// Whether it is worth looking again for a reader or a card: something is not there yet, or lies badly.
    var passesWithTime: Bool {
        switch self {
        case .noService, .noReader, .readerBusy, .readerGone, .simInUse, .noCard, .cardRemoved, .cardReset, .cardMute,
            .transportFailed:
            true
        default: false
        }
    }
}

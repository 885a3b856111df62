import ExplainedErrors

extension ChainServerError: ExplainedError {
    /// There is no chain server of this name.
    public var code: ErrorCode { .noChainServer }

    /// What is wrong.
    public var message: String { description.asSentence }
}

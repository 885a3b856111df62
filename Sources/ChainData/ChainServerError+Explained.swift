import ExplainedErrors

extension ChainServerError: ExplainedError {
    /// There is no chain server of this name.
    public var code: ErrorCode { .noChainServer }

    /// What is wrong with the name, as a sentence that does not repeat it.
    public var message: String { description.asSentence }
}

import ExplainedErrors

extension ChainServerError: ExplainedError {
    /// Not a valid chain server.
    public var code: ErrorCode { .noChainServer }

    /// What is wrong, as a sentence that does not repeat the name.
    public var message: String { description.asSentence }

    /// The forms of a server's name.
    public var remedy: String { "Use \(ChainServer.forms)." }
}

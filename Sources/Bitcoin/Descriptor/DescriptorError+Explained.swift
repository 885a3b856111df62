import ExplainedErrors

extension DescriptorError: ExplainedError {
    /// Not a descriptor, or one without the requested script.
    public var code: ErrorCode { .badDescriptor }

    /// What is wrong. Contains no key.
    public var message: String { "The descriptor cannot be used: \(description)." }
}

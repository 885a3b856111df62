import ExplainedErrors

extension DescriptorError: ExplainedError {
    /// Not a descriptor, or one without such a script.
    public var code: ErrorCode { .badDescriptor }

    /// What is wrong. Holds no key.
    public var message: String { "The descriptor cannot be used: \(description)." }
}

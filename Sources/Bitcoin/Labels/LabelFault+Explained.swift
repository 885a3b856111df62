import ExplainedErrors

extension LabelFault: ExplainedError {
    /// Not a label.
    public var code: ErrorCode { .badLabels }

    /// What is wrong. Contains nothing from the line.
    public var message: String { "The line \(description)." }
}

extension LabelFileError: ExplainedError {
    /// Not a list of labels.
    public var code: ErrorCode { .badLabels }

    /// What is wrong, and where.
    public var message: String { description.asSentence }
}

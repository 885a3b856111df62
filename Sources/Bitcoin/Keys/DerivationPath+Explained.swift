import ExplainedErrors

extension DerivationPath.ParsingError: ExplainedError {
    /// Not a path.
    public var code: ErrorCode { .badPath }

    /// What is wrong. Steps are text from outside.
    public var message: String {
        switch self {
        case .emptyStep: "The path has an empty step."
        case .notANumber(let step):
            "“\(step)” is no step of a path: a number below 2147483648, with h when it is hardened."
        case .outOfRange(let step): "The step \(step) of the path is no number below 2147483648."
        case .tooLong: "The path has more than 255 steps."
        }
    }
}

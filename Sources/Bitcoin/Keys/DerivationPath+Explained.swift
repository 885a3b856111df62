import ExplainedErrors

extension DerivationPath.ParsingError: ExplainedError {
    /// Not a path.
    public var code: ErrorCode { .badPath }

    /// What is wrong. The steps are text from outside.
    public var message: String {
        switch self {
        case .emptyStep: "The path has an empty step."
        case .notANumber(let step):
            "“\(step)” is not a valid path step: use a number below 2147483648, with h if hardened."
        case .outOfRange(let step): "The path step \(step) is not below 2147483648."
        case .tooLong: "The path has more than 255 steps."
        }
    }
}

import ExplainedErrors

/// Why there is no QR code to show.
package enum QRCodeError: ExplainedError, Equatable {
    /// The text is longer than the largest code can hold (2331 bytes at level M, more when it is all digits and capitals).
    case tooLong(bytes: Int)
    /// A character that is not ASCII, which scanners would have to guess at, or a NUL.
    case characters
    /// There is nothing to encode.
    case empty
    /// The terminal is narrower than the code with its margin; both in columns.
    case terminalTooNarrow(needed: Int, columns: Int)
    /// A library failed; only lack of memory explains that.
    case system(String)

    /// What somebody can do something about has a code of its own; the others are `internal_error`.
    package var code: ErrorCode {
        switch self {
        case .terminalTooNarrow: .usage
        case .tooLong: .inputTooLarge
        case .characters, .empty: .badArgument
        case .system: .internalError
        }
    }

    /// What went wrong, with the sizes.
    package var message: String {
        switch self {
        case .tooLong(let bytes): "\(bytes) bytes do not fit into a QR code."
        case .characters: "A QR code can hold only ASCII characters here."
        case .empty: "There is nothing to put into a QR code."
        case .terminalTooNarrow(let needed, let columns):
            "The QR code needs \(needed) columns, but this terminal has \(columns)."
        case .system(let reason): "The QR code could not be made: \(reason.asSentence)"
        }
    }

    /// How to get more room.
    package var remedy: String {
        switch self {
        case .terminalTooNarrow: "Make the terminal wider, or save the code as an image."
        case .tooLong, .characters, .empty, .system: ""
        }
    }
}

import ExplainedErrors

/// Why there is no QR code to show.
package enum QRCodeError: ExplainedError, Equatable {
    /// The text has more than the largest code holds (2331 bytes at level M, more when it is all digits and capitals).
    case tooLong(bytes: Int)
    /// A character that is not ASCII, whose meaning a reader would have to guess, or a NUL.
    case characters
    /// There is nothing to encode.
    case empty
    /// The terminal is narrower than the code with its margin; both in columns.
    case terminalTooNarrow(needed: Int, columns: Int)
    /// A library failed, which only lack of memory explains.
    case system(String)

    /// `usage` where a person can do something about it, else `internal_error`.
    package var code: ErrorCode {
        switch self {
        case .terminalTooNarrow: .usage
        case .tooLong, .characters, .empty, .system: .internalError
        }
    }

    /// What does not fit where.
    package var message: String {
        switch self {
        case .tooLong(let bytes): "\(bytes) bytes do not fit into a QR code."
        case .characters: "Only ASCII characters go into a QR code."
        case .empty: "There is nothing to make a QR code of."
        case .terminalTooNarrow(let needed, let columns):
            "The QR code needs \(needed) columns; this terminal has \(columns)."
        case .system(let reason): "The QR code could not be made: \(reason.asSentence)"
        }
    }

    /// Where there is more room.
    package var remedy: String {
        switch self {
        case .terminalTooNarrow: "Make it wider, or have the code drawn as an image."
        case .tooLong, .characters, .empty, .system: ""
        }
    }
}

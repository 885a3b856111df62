import ByteCodec
import ExplainedErrors

/// Why there is no QR code to show.
package enum QRCodeError: ExplainedError, Equatable {
    /// The text is longer than the largest code can hold, which is more of digits and capitals; both in bytes.
    case tooLong(bytes: Int, limit: Int)
    /// The data takes more codes of its size than can be put together again.
    case tooManyCodes(bytes: Int)
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
        case .tooLong, .tooManyCodes: .inputTooLarge
        case .characters, .empty: .badArgument
        case .system: .internalError
        }
    }

    /// What went wrong, with the sizes.
    package var message: String {
        switch self {
        case .tooLong(let bytes, let limit):
            "A QR code holds at most \(limit) bytes, or more if many of them are digits or capitals; this text has "
                + "\(bytes)."
        case .tooManyCodes(let bytes):
            "\(bytes) bytes do not fit into \(BBQr.maximumPartCount) QR codes of the largest size that can be shown."
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
        case .tooLong, .tooManyCodes, .characters, .empty, .system: ""
        }
    }
}

/// Why there is no QR code to show.
enum QRCodeError: Error, Equatable, Sendable {
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
}

extension Failure {
    init(_ error: QRCodeError) {
        switch error {
        case .tooLong(let bytes): self.init(.internalError, "\(bytes) bytes do not fit into a QR code.")
        case .characters: self.init(.internalError, "A QR code of tapkit holds ASCII characters only.")
        case .empty: self.init(.internalError, "There is nothing to make a QR code of.")
        case .terminalTooNarrow(let needed, let columns):
            self.init(
                .usage, "The QR code needs \(needed) columns; this terminal has \(columns).",
                hint: QRCode.narrowTerminalHint)
        case .system(let reason): self.init(.internalError, "The QR code could not be made: \(reason)")
        }
    }
}

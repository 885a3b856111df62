import Terminal

/// A message as the user gives it: the text itself, or `-` for everything on standard input, byte for byte.
enum MessageArgument {
    /// The most bytes of a message.
    static let limit = 1_048_576

    /// The message's bytes.
    /// - Throws: `Failure.inputTooLarge`, `.inputUnreadable`.
    static func bytes(_ text: String) throws(Failure) -> [UInt8] {
        guard text != "-" else { return try InputFile.read("-", limit: limit) }
        return Array(text.utf8)
    }
}

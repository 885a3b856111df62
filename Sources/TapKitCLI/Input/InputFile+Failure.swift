import Terminal

extension InputFile {
    /// All bytes of a file, or of standard input, as a verb reads them.
    /// - Parameters:
    ///   - limit: the maximum number of bytes; larger input is refused.
    ///   - isSecret: whether a terminal is refused, because it would show what is typed.
    /// - Throws: `Failure`: `.noInputFile`, `.inputUnreadable`, `.inputTooLarge`, `.interrupted`; `.usage` for a
    ///   terminal.
    static func read(_ path: String, limit: Int, isSecret: Bool = false) throws(Failure) -> [UInt8] {
        do { return try bytes(of: path, limit: limit, isSecret: isSecret) } catch { throw Failure(error) }
    }
}

import Terminal

extension InputFile {
    /// All bytes of a file, or of standard input, as a verb reads them.
    /// - Parameter limit: the maximum number of bytes; larger input is refused.
    /// - Throws: `Failure`: `.noInputFile`, `.inputUnreadable`, `.inputTooLarge`, `.interrupted`.
    static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        do { return try bytes(of: path, limit: limit) } catch { throw Failure(error) }
    }
}

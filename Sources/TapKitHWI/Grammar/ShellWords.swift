/// Splits a line as a shell does: HWI's standard input is quoted this way, as Bitcoin Core once did.
///
/// Spec: POSIX Shell Command Language, "Quoting"; HWI uses Python's `shlex`, which supports no comments there.
enum ShellWords {
    /// A quotation that does not end, or a backslash at the end.
    struct Unterminated: Error {}

    private static let backslash = UInt8(ascii: "\\")
    private static let quote = UInt8(ascii: "'")
    private static let doubleQuote = UInt8(ascii: "\"")
    private static let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

    /// The words of a line.
    /// - Throws: `Unterminated`.
    static func split(_ line: [UInt8]) throws(Unterminated) -> [[UInt8]] {
        var words: [[UInt8]] = []
        var word: [UInt8] = []
        var isInWord = false
        var open: UInt8?
        var index = 0
        while index < line.count {
            let byte = line[index]
            index += 1
            if let quotation = open {
                if byte == quotation {
                    open = nil
                } else if byte == backslash, quotation == doubleQuote {
                    guard index < line.count else { throw Unterminated() }
                    // In double quotes, only these two can be escaped; before others, the backslash is literal.
                    if line[index] != doubleQuote, line[index] != backslash { word.append(backslash) }
                    word.append(line[index])
                    index += 1
                } else {
                    word.append(byte)
                }
                continue
            }
            switch byte {
            case _ where spaces.contains(byte):
                if isInWord { words.append(word) }
                (word, isInWord) = ([], false)
                continue
            case quote, doubleQuote: open = byte
            case backslash:
                guard index < line.count else { throw Unterminated() }
                word.append(line[index])
                index += 1
            default: word.append(byte)
            }
            isInWord = true
        }
        guard open == nil else { throw Unterminated() }
        if isInWord { words.append(word) }
        return words
    }
}

/// Text that people read, as its words and the lines that they are on: a string literal, a doc comment, a paragraph.
struct WordedText: Equatable {
    /// A word in lower case, or one of the marks `. , ; : ! ?`.
    struct Word: Equatable {
        var text: String
        /// Counted from 1.
        var line: Int
    }

    /// Stands for an interpolation or code, which no phrase contains.
    static let gap = "\u{FFFC}"

    private(set) var words: [Word] = []
    /// Whether there is white space in it. A literal without any is a key or a word of a protocol, not text.
    private(set) var hasSpace = false
    private var word: [UInt8] = []
    private var isCode = false

    /// Adds one byte of the text. Text between backticks counts as code.
    mutating func add(_ byte: UInt8, line: Int) {
        if byte == UInt8(ascii: "`") {
            if !isCode { addGap(line: line) }
            isCode.toggle()
            return
        }
        if [0x20, 0x09, 0x0A].contains(byte) { hasSpace = true }
        guard !isCode else { return }
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
            UInt8(ascii: "'"), UInt8(ascii: "-"):
            word.append(byte)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 0x20)
        default:
            endWord(line: line)
            if ".,;:!?".utf8.contains(byte) { words.append(Word(text: String(UnicodeScalar(byte)), line: line)) }
        }
    }

    /// Adds something that is not text.
    mutating func addGap(line: Int) {
        endWord(line: line)
        words.append(Word(text: Self.gap, line: line))
    }

    /// Ends the word that the last byte may belong to.
    mutating func endWord(line: Int) {
        guard !word.isEmpty else { return }
        words.append(Word(text: String(decoding: word, as: UTF8.self), line: line))
        word = []
    }

    /// The words of a whole text, all on one line.
    init(_ text: String = "", line: Int = 1) {
        for byte in text.utf8 { add(byte, line: line) }
        endWord(line: line)
    }
}

/// Finds the string literals and doc comments of Swift code. Literals joined by `+` are one text, and so are the lines of a
/// doc comment; an interpolation is a gap, and literals in it are texts of their own.
struct SwiftTextScanner {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var texts: [WordedText] = []

    private init(_ code: String) { bytes = Array(code.utf8) }

    /// The texts of Swift code.
    static func texts(in code: String) -> [WordedText] {
        var scanner = Self(code)
        scanner.scanCode(isInterpolation: false)
        return scanner.texts.filter { $0.hasSpace && !$0.words.isEmpty }
    }

    private func starts(with text: StaticString, at index: Int) -> Bool {
        // Nearly every byte begins none of the marks: debug builds are slow to make a slice for each.
        index + text.utf8CodeUnitCount <= bytes.count && bytes[index] == text.utf8Start.pointee
            && text.withUTF8Buffer { $0.elementsEqual(bytes[index..<index + text.utf8CodeUnitCount]) }
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where position < bytes.count {
            if bytes[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
    }

    private mutating func scanCode(isInterpolation: Bool) {
        var depth = 0
        while position < bytes.count {
            if starts(with: "///", at: position) {
                scanDocComment()
            } else if starts(with: "//", at: position) {
                while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { advance() }
            } else if let opening = literalOpening(at: position) {
                scanLiterals(opening)
            } else {
                if bytes[position] == UInt8(ascii: "(") { depth += 1 }
                if bytes[position] == UInt8(ascii: ")") {
                    if depth == 0, isInterpolation { return advance() }
                    depth -= 1
                }
                advance()
            }
        }
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A].contains(bytes[position]) { advance() }
    }

    private mutating func scanDocComment() {
        var text = WordedText()
        var isFenced = false
        while starts(with: "///", at: position) {
            advance(3)
            var isBlank = true
            if starts(with: " ```", at: position) { isFenced.toggle() }
            while position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
                if bytes[position] != 0x20 { isBlank = false }
                if !isFenced, !starts(with: "```", at: position) { text.add(bytes[position], line: line) }
                advance()
            }
            text.add(0x20, line: line)
            if isBlank { text.addGap(line: line) }
            skipSpace()
        }
        texts.append(text)
    }

    /// How a literal that starts at an index is delimited; `nil` when none starts there.
    private func literalOpening(at index: Int) -> (hashes: Int, quotes: Int)? {
        var hashes = 0
        while index + hashes < bytes.count, bytes[index + hashes] == UInt8(ascii: "#") { hashes += 1 }
        if starts(with: "\"\"\"", at: index + hashes) { return (hashes, 3) }
        return starts(with: "\"", at: index + hashes) ? (hashes, 1) : nil
    }

    /// A literal, and those that `+` joins to it.
    private mutating func scanLiterals(_ first: (hashes: Int, quotes: Int)) {
        var text = WordedText()
        var opening = first
        while true {
            scanLiteral(opening, into: &text)
            let end = (position, line)
            skipSpace()
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") {
                advance()
                skipSpace()
                if let next = literalOpening(at: position) {
                    opening = next
                    continue
                }
            }
            (position, line) = end
            break
        }
        text.endWord(line: line)
        texts.append(text)
    }

    private mutating func scanLiteral(_ opening: (hashes: Int, quotes: Int), into text: inout WordedText) {
        advance(opening.hashes + opening.quotes)
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\n"), opening.quotes == 1 { return }
            if isDelimiter(at: position, UInt8(ascii: "\""), opening.quotes, thenHashes: opening.hashes) {
                return advance(opening.quotes + opening.hashes)
            }
            if isDelimiter(at: position, UInt8(ascii: "\\"), 1, thenHashes: opening.hashes) {
                advance(1 + opening.hashes)
                if starts(with: "(", at: position) {
                    text.addGap(line: line)
                    advance()
                    scanCode(isInterpolation: true)
                } else {
                    // A line that goes on, or a character that is no part of a word.
                    text.add(0x20, line: line)
                    advance()
                }
                continue
            }
            text.add(byte, line: line)
            advance()
        }
    }

    private func isDelimiter(at index: Int, _ byte: UInt8, _ count: Int, thenHashes hashes: Int) -> Bool {
        guard index + count + hashes <= bytes.count else { return false }
        return bytes[index..<index + count].allSatisfy { $0 == byte }
            && bytes[index + count..<index + count + hashes].allSatisfy { $0 == UInt8(ascii: "#") }
    }
}

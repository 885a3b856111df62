import TapKitService
import Testing

/// Lines in a stream, however it is cut.
@Suite struct LineReaderTests {
    private func lines(_ text: String, longest: Int = 10, inPiecesOf size: Int) -> [LineReader.Line] {
        var reader = LineReader(longest: longest)
        var found: [LineReader.Line] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            bytes[start..<min(bytes.count, start + size)].withUnsafeBytes { reader.append($0) }
            while let line = reader.next() { found.append(line) }
        }
        return found
    }

    @Test(arguments: [1, 2, 3, 7, 100])
    func findsTheSameLinesHoweverTheStreamIsCut(_ size: Int) {
        let text =
            "one\n\r\n  \ntwo\r\n0123456789\n01234567890\nthree\n" + String(repeating: "x", count: 50) + "\nfour\nrest"
        let expected: [LineReader.Line] = [
            .whole(Array("one".utf8)), .whole(Array("two".utf8)), .whole(Array("0123456789".utf8)), .tooLong,
            .whole(Array("three".utf8)), .tooLong, .whole(Array("four".utf8)),
        ]
        #expect(lines(text, inPiecesOf: size) == expected)
    }

    @Test func knowsWhetherALineHasBegun() {
        var reader = LineReader(longest: 4)
        #expect(!reader.isBegun)
        Array("ab".utf8).withUnsafeBytes { reader.append($0) }
        #expect(reader.next() == nil && reader.isBegun)
        Array("cdefgh".utf8).withUnsafeBytes { reader.append($0) }
        #expect(reader.next() == nil && reader.isBegun)
        Array("\n".utf8).withUnsafeBytes { reader.append($0) }
        #expect(reader.next() == .tooLong && reader.next() == nil && !reader.isBegun)
    }
}

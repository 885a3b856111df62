import Foundation
import Testing

@testable import TextLayout

/// Tables on terminals of every width, and without one.
@Suite struct TableTests {
    private static let id = String(repeating: "0123456789abcdef", count: 4)
    private static let address = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"
    private static let amount = "0.00150000 BTC"

    private func table() -> Table {
        var table = Table([
            .init(title: "ID", least: 12), .init(title: "STATE"), .init(title: "SENDS"), .init(title: "TO", least: 14),
            .init(title: "EMPTY"), .init(title: "NOTE", isOptional: true),
        ])
        table.add([
            .code(Self.id), .whole("confirmed 12"), .amount(Self.amount), .code(Self.address), .text(""),
            .text("a note that is longer than it would have to be"),
        ])
        table.add([.code(Self.id), .whole("sent"), .amount("1 BTC"), .text("日本語のラベル"), .text(nil), .text("x")])
        return table
    }

    @Test func withoutATerminalNothingIsCut() {
        let lines = table().lines(width: nil)
        #expect(lines.count == 3)
        #expect(lines[0].split(separator: " ") == ["ID", "STATE", "SENDS", "TO", "NOTE"])
        for part in [Self.id, Self.address, Self.amount, "longer than it would have to be"] {
            #expect(lines[1].contains(part), "\(lines[1])")
        }
        #expect(!lines.joined().contains("…") && lines.allSatisfy { $0.last != " " })
    }

    @Test(arguments: [50, 80, 120, 160]) func nothingIsWiderThanTheTerminal(_ width: Int) {
        let lines = table().lines(width: width)
        #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= width }, "\(lines.joined(separator: "\n"))")
        // Amounts and what must not be cut are whole, and a transaction can be named by what is left of its id.
        for part in [Self.amount, "confirmed 12", String(Self.id.prefix(7))] {
            #expect(lines.contains { $0.contains(part) }, "\(part)")
        }
        #expect(lines.contains { $0.contains("bcrt1q") && $0.contains("080") })
        #expect(lines.count == (width < 80 ? 4 : 3))
        #expect(lines[0].hasPrefix("ID") == (width >= 80))
    }

    /// Where “…” takes three columns, and quotation marks are others, the table is not wider for it.
    @Test(arguments: [50, 80, 120]) func nothingIsWiderInOtherCharacters(_ width: Int) {
        let plain = table().written { $0.replacing("…", with: "...").replacing("日", with: "(day)") }
        let lines = plain.lines(width: width)
        #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= width }, "\(lines.joined(separator: "\n"))")
        #expect(lines.joined().contains("...") && !lines.joined().contains("…") && lines.joined().contains("(day)"))
        for part in [Self.amount, "confirmed 12", String(Self.id.prefix(6))] {
            #expect(lines.contains { $0.contains(part) }, "\(part)")
        }
        #expect(lines.contains { $0.contains("bcrt1q") && $0.contains("...") && $0.contains("080") })
    }

    /// Columns stand below each other, by what a terminal shows, amounts at the right.
    @Test func columnsAreAligned() throws {
        let lines = table().lines(width: 80)
        let ends = try lines.dropFirst().map { line in
            let end = try #require(line.range(of: "BTC"))
            return TextWidth.columns(of: line[..<end.upperBound])
        }
        #expect(Set(ends).count == 1)
        #expect(lines[0].contains("SENDS") && lines[0].contains("NOTE") && !lines[0].contains("EMPTY"))
        // What is not needed is left out before a row takes two lines.
        let narrow = table().lines(width: 64)
        #expect(narrow.count == 3 && !narrow[0].contains("NOTE") && narrow[0].contains("TO"))
    }

    @Test func hashesAreCutInTheMiddleAndTextAtItsEnd() {
        var table = Table([.init(title: "A"), .init(title: "B")], hasHeader: false)
        table.add([.code("0123456789abcdef"), .text("0123456789abcdef")])
        #expect(table.lines(width: 22) == ["012345…def  012345678…"])
    }

    /// A proof's detail is broken between words, below itself.
    @Test func proseIsBrokenBetweenWords() {
        var table = Table([.init(title: ""), .init(title: "", least: 10)], hasHeader: false)
        table.add([.whole("proven"), .prose("one two three four five six")], notes: ["below"])
        table.add([.whole("FAILED"), .prose("short")])
        #expect(
            table.lines(width: 20) == [
                "proven  one two", "        three four", "        five six", "  below", "FAILED  short",
            ])
    }

    /// The terminal would break it in the middle.
    @Test func aWordLongerThanItsColumnStartsFurtherToTheLeft() {
        var table = Table([.init(title: ""), .init(title: "", least: 10)], hasHeader: false)
        table.add([.whole("proven"), .prose("key 0123456789abcde, or not")])
        #expect(table.lines(width: 20) == ["proven  key", "    0123456789abcde,", "        or not"])
        var narrow = Table([.init(title: ""), .init(title: "", least: 10)], hasHeader: false)
        narrow.add([.whole("proven"), .prose("key 0123456789abcdefghijklmn")])
        #expect(narrow.lines(width: 20) == ["proven  key", "  0123456789abcdefghijklmn"])
    }

    @Test func aLabelMovesNoCursorAndBeginsNoLine() {
        var table = Table([.init(title: "LABEL"), .init(title: "X")])
        table.add([.text("a\u{1B}[2J\nb\u{202E}"), .text("x")])
        for width in [nil, 30] {
            let lines = table.lines(width: width)
            #expect(lines == ["LABEL     X", "a�[2J�b�  x"])
        }
    }

    @Test func withoutRowsThereIsNothing() {
        #expect(Table([.init(title: "A")]).lines(width: 80).isEmpty)
        #expect(Table([.init(title: "A")]).lines(width: nil).isEmpty)
    }

    @Test(arguments: [("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("🏖", 2), ("…“”", 3)])
    func columnsOfATerminal(_ text: String, _ columns: Int) {
        #expect(TextWidth.columns(of: text) == columns)
        #expect(TextWidth.prefix(of: text, columns: columns) == text)
        #expect(TextWidth.suffix(of: text, columns: columns) == text)
        #expect(TextWidth.columns(of: TextWidth.prefix(of: text, columns: 1)) <= 1)
    }

    /// A column is as wide as its text is on the terminal.
    @Test func wideCharactersTakeTwoColumns() {
        var table = Table([.init(title: "A"), .init(title: "B")], hasHeader: false)
        table.add([.text("日本"), .text("x")])
        table.add([.text("ab"), .text("y")])
        #expect(table.lines(width: 40) == ["日本  x", "ab    y"])
    }

    /// Spec: RFC 4180. A label is no formula, and no further row.
    @Test func aTableForProgramsIsHarmless() {
        var csv = CSVText(["a", "b", "c"])
        csv.add(["1", "-5", "say \"hi\", now"])
        csv.add(["=1+1", "@x", "one\r\ntwo"])
        csv.add(["-x", "+5", ""])
        csv.add(["+x", "x+", "-"])
        #expect(
            csv.text
                == "a,b,c\r\n1,-5,\"say \"\"hi\"\", now\"\r\n\"'=1+1\",\"'@x\",one��two\r\n\"'-x\",+5,\r\n"
                + "\"'+x\",x+,\"'-\"\r\n")
    }
}

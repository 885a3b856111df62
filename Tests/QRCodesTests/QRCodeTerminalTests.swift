import TestSupport
import Testing

@testable import QRCodes

@Suite struct QRCodeTerminalTests {
    @Test(arguments: [QRCode.TerminalStyle.coloured, .plain])
    func whatIsShownIsTheCode(_ style: QRCode.TerminalStyle) throws {
        var generator = SeededGenerator()
        for _ in 0..<30 {
            let text = String(decoding: generator.bytes(1...400).map { $0 % 0x7E + 1 }, as: UTF8.self)
            let code = try QRCode(text)
            for (columns, margin) in [(nil, 4), (code.size + 8, 4), (code.size + 7, 2), (code.size + 4, 2)]
                as [(Int?, Int)]
            {
                let shown = try code.terminalText(style, columns: columns)
                #expect(try QRCode.rows(shownBy: shown, coloured: style == .coloured) == code.rows(margin: margin))
            }
        }
    }

    @Test func aTerminalThatIsTooNarrowGetsNoBrokenCode() throws {
        let code = try QRCode("HELLO")
        for columns in [0, 1, 20, 24] {
            #expect(throws: QRCodeError.terminalTooNarrow(needed: 25, columns: columns)) {
                try code.terminalText(.coloured, columns: columns)
            }
        }
    }
}

import Foundation
import TestSupport
import Testing

@testable import TapKitCLI

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

    @Test func aTerminalIsDrawnOnInColoursThatAreExplicit() throws {
        let code = try QRCode("HELLO")
        for (type, isColoured) in [("xterm", true), (nil, true), ("dumb", false)] as [(String?, Bool)] {
            let terminal = try PseudoTerminal(columns: 80)
            try Console.draw(code, to: terminal.device, terminalType: type)
            #expect(try QRCode.rows(shownBy: terminal.shown(), coloured: isColoured) == code.rows(margin: 4))
        }
    }

    @Test func theTerminalsWidthDecides() throws {
        let code = try QRCode("HELLO")
        let snug = try PseudoTerminal(columns: 25)
        try Console.draw(code, to: snug.device, terminalType: "xterm")
        #expect(try QRCode.rows(shownBy: snug.shown(), coloured: true) == code.rows(margin: 2))

        let narrow = try PseudoTerminal(columns: 24)
        try Console.draw(code, to: narrow.device, terminalType: "xterm")
        #expect(
            narrow.shown() == "The QR code needs 25 columns; this terminal has 24. Make it wider, or write the code to "
                + "a file: --qr FILE.png or FILE.svg.\n")

        // One that does not say how wide it is.
        let unknown = try PseudoTerminal(columns: 0)
        try Console.draw(code, to: unknown.device, terminalType: "xterm")
        #expect(try QRCode.rows(shownBy: unknown.shown(), coloured: true) == code.rows(margin: 4))
    }

    @Test func aPipeGetsPlainBlocks() throws {
        let code = try QRCode("HELLO")
        let pipe = Pipe()
        try Console.draw(code, to: pipe.fileHandleForWriting.fileDescriptor, terminalType: "xterm")
        try pipe.fileHandleForWriting.close()
        let bytes = try #require(try pipe.fileHandleForReading.readToEnd())
        #expect(
            try QRCode.rows(shownBy: String(decoding: bytes, as: UTF8.self), coloured: false) == code.rows(margin: 4))
    }
}

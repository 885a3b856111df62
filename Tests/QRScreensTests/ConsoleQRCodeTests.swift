import Foundation
import QRCodes
import Terminal
import TestSupport
import Testing

@testable import QRScreens

/// How codes come to a terminal, or to what stands in its place.
@Suite struct ConsoleQRCodeTests {
    private static let option = "--qr FILE.png or FILE.svg"

    @Test func aTerminalIsDrawnOnInColoursThatAreExplicit() throws {
        let code = try QRCode("HELLO")
        for (type, isColoured) in [("xterm", true), (nil, true), ("dumb", false)] as [(String?, Bool)] {
            let terminal = try PseudoTerminal(columns: 80)
            try Console.draw(code, to: terminal.device, terminalType: type, orSaveBy: Self.option)
            #expect(try QRCode.rows(shownBy: terminal.shown(), coloured: isColoured) == code.rows(margin: 4))
        }
    }

    @Test func theTerminalsWidthDecides() throws {
        let code = try QRCode("HELLO")
        let snug = try PseudoTerminal(columns: 25)
        try Console.draw(code, to: snug.device, terminalType: "xterm", orSaveBy: Self.option)
        #expect(try QRCode.rows(shownBy: snug.shown(), coloured: true) == code.rows(margin: 2))

        let narrow = try PseudoTerminal(columns: 24)
        try Console.draw(code, to: narrow.device, terminalType: "xterm", orSaveBy: Self.option)
        #expect(
            narrow.shown()
                == """
                The QR code needs 25
                  columns, but this
                  terminal has 24. Widen
                  it, or save the code
                  to a file: --qr
                  FILE.png or FILE.svg.

                """)

        // One that does not say how wide it is.
        let unknown = try PseudoTerminal(columns: 0)
        try Console.draw(code, to: unknown.device, terminalType: "xterm", orSaveBy: Self.option)
        #expect(try QRCode.rows(shownBy: unknown.shown(), coloured: true) == code.rows(margin: 4))
    }

    /// A locale without blocks gets words that say what to do.
    @Test func nothingIsDrawnInASCII() throws {
        let terminal = try PseudoTerminal(columns: 80)
        try Console.draw(
            try QRCode("HELLO"), to: terminal.device, terminalType: "xterm", isASCII: true, orSaveBy: Self.option)
        let shown = terminal.shown()
        #expect(shown.contains("cannot be drawn") && shown.contains("LC_ALL=C.UTF-8"))
        #expect(shown.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func aPipeGetsPlainBlocks() throws {
        let code = try QRCode("HELLO")
        let pipe = Pipe()
        try Console.draw(
            code, to: pipe.fileHandleForWriting.fileDescriptor, terminalType: "xterm", orSaveBy: Self.option)
        try pipe.fileHandleForWriting.close()
        let bytes = try #require(try pipe.fileHandleForReading.readToEnd())
        #expect(
            try QRCode.rows(shownBy: String(decoding: bytes, as: UTF8.self), coloured: false) == code.rows(margin: 4))
    }

    @Test func aWindowsRoom() throws {
        let window = try PseudoTerminal(columns: 80)
        // 24 lines, of which one says what the code is: 46 modules, 42 of them the code's.
        #expect(TerminalRoom(of: window.device).version == 6)
        withExtendedLifetime(window) {}
        let low = try PseudoTerminal(columns: 80, lines: 23)
        #expect(TerminalRoom(of: low.device).version == 5)
        let narrow = try PseudoTerminal(columns: 33)
        #expect(TerminalRoom(of: narrow.device).version == 3)
        #expect(TerminalRoom().version == 40)
        #expect(TerminalRoom.needed(for: 4) == (37, 20))
    }
}

import Glibc
import TestSupport
import Testing

@testable import Terminal

/// Who is shown colours, and who more than ASCII.
@Suite struct TerminalStyleTests {
    private func style(of descriptor: Int32, _ variables: [String: String]) -> TerminalStyle {
        TerminalStyle(of: descriptor) { variables[$0].flatMap { $0.isEmpty ? nil : $0 } }
    }

    @Test(
        arguments: [
            (["TERM": "xterm"], true, false), ([:], false, false), (["TERM": "dumb"], false, false),
            (["TERM": "xterm", "NO_COLOR": "1"], false, false), (["TERM": "xterm", "NO_COLOR": ""], true, false),
            (["TERM": "dumb", "CLICOLOR_FORCE": "1"], true, true), (["CLICOLOR_FORCE": "0"], false, false),
            (["TERM": "xterm", "CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false, false),
        ] as [([String: String], Bool, Bool)])
    func coloursAreForTerminals(_ variables: [String: String], _ onTerminal: Bool, _ elsewhere: Bool) throws {
        let terminal = try PseudoTerminal(columns: 50)
        let shown = style(of: terminal.device, variables)
        #expect(shown.isColoured == onTerminal && shown.columns == 50)
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let piped = style(of: ends[1], variables)
        #expect(piped.isColoured == elsewhere && piped.columns == nil)
    }

    @Test(
        arguments: [
            ([:], false), (["LANG": "C.UTF-8"], false), (["LANG": "de_DE.utf8"], false), (["LANG": "C"], true),
            (["LANG": "C.UTF-8", "LC_ALL": "POSIX"], true), (["LC_CTYPE": "en_US.UTF-8", "LANG": "C"], false),
            (["LANG": "de_DE.ISO-8859-1"], true),
        ] as [([String: String], Bool)])
    func signsAreWhatTheLocaleHas(_ variables: [String: String], _ isASCII: Bool) {
        let style = style(of: -1, variables)
        #expect(style.isASCII == isASCII)
        let text = style.written("“a” — b… · Müller")
        #expect(text == (isASCII ? "\"a\" - b... - Müller" : "“a” — b… · Müller"))
    }

    @Test func warningsAreRedAndBoldOnEachLine() {
        let line = ScreenLine("WARNING: one two three four", .alarm)
        #expect(
            line.shown(in: TerminalStyle(columns: 20, isColoured: true))
                == "\u{1B}[1;31mWARNING: one two\u{1B}[0m\n\u{1B}[1;31m  three four\u{1B}[0m")
        #expect(line.shown(in: TerminalStyle()) == "WARNING: one two three four")
    }

    /// Columns stay columns when a line is broken; a broken line starts and ends without spaces of its own.
    @Test func gapsAreKeptWhenALineIsBroken() {
        let style = TerminalStyle(columns: 20)
        #expect(ScreenLine("ok       name: one two").shown(in: style) == "ok       name: one\n  two")
        #expect(ScreenLine("ok  name: sixteen  two").shown(in: style) == "ok  name: sixteen\n  two")
    }

    /// A command that was broken would be pasted as several.
    @Test func aWholeLineIsNeverBroken() {
        let style = TerminalStyle(columns: 20)
        #expect(ScreenLine(whole: "  tapkit one two three four").shown(in: style) == "  tapkit one two three four")
        #expect(ScreenLine(whole: "a\nb").shown(in: style) == "a\u{FFFD}b")
    }

    /// No line of its own for what comes from outside, and no sequence that drives the terminal.
    @Test func whatIsFromOutsideStaysInItsLine() {
        let shown = ScreenLine("  a\u{1B}[2Jb\nc").shown(in: TerminalStyle(columns: 80))
        #expect(shown == "  a\u{FFFD}[2Jb\u{FFFD}c")
    }
}

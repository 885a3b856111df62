import Foundation
import Glibc
import TestSupport
import Testing

@testable import Pinentry

/// What a pinentry may answer, and what must not come of it.
@Suite(.fewAtATime) struct PinentryTests {
    @Test func thePINComesThrough() throws {
        let pinentry = try ScriptedPinentry("482913")
        #expect(try pinentry.ask() == Array("482913".utf8))
        #expect(!pinentry.isThere)
    }

    @Test func dataComesInPiecesAndEncoded() throws {
        #expect(try ScriptedPinentry("!pieces").ask() == Array("482913%\nä".utf8))
    }

    @Test func nothingTypedIsEmpty() throws { #expect(try ScriptedPinentry("!empty").ask() == []) }

    @Test func whatItWritesToStandardErrorIsNotSeen() throws {
        #expect(try ScriptedPinentry("!noise").ask() == Array("482913".utf8))
    }

    @Test(arguments: [
        ("!cancel", PinentryError.cancelled), ("!timeout", .timedOut), ("!nowhere", .nowhereToAsk),
        ("!refuse", .refused("Unknown \u{FFFD}[2Jcommand <Pinentry>")), ("!close", .ended), ("!half", .ended),
        ("!die", .ended),
        ("!garbage", .garbage("it sent a line that is not an answer")),
        ("!inquire", .garbage("it sent a line that is not an answer")),
        ("!error", .garbage("it sent a line that is not an answer")),
        ("!line", .garbage("it sent a line of more than 1000 bytes")),
        ("!pin", .garbage("it sent a PIN of more than 255 bytes")),
        ("!remarks", .garbage("its answer has more than 200 lines")),
        ("!digits", .garbage("it sent a percent sign without two digits")),
        ("!letters", .garbage("it sent a percent sign without two digits")),
        ("!greeting", .garbage("its greeting contains data")),
    ])
    func everyOtherAnswerIsToldApart(_ answer: String, _ error: PinentryError) throws {
        let pinentry = try ScriptedPinentry(answer)
        #expect(throws: error) { try pinentry.ask() }
        #expect(!pinentry.isThere)
    }

    /// One that never answers is ended, however deaf it is.
    @Test(arguments: ["!silent", "!deaf"])
    func oneThatNeverAnswersIsEnded(_ answer: String) throws {
        let pinentry = try ScriptedPinentry(answer)
        let limits = Pinentry.Limits(personSeconds: 0, grace: .milliseconds(300))
        #expect(throws: PinentryError.timedOut) { try pinentry.ask(limits: limits) }
        #expect(!pinentry.isThere)
    }

    @Test func oneThatDoesNotGreetIsEnded() throws {
        let pinentry = try ScriptedPinentry("!unpolite")
        #expect(throws: PinentryError.timedOut) {
            try pinentry.ask(limits: Pinentry.Limits(setting: .milliseconds(500)))
        }
        #expect(!pinentry.isThere)
    }

    @Test func anInterruptionEndsIt() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        var byte: UInt8 = 0
        try #require(write(ends[1], &byte, 1) == 1)
        let pinentry = try ScriptedPinentry("!silent")
        #expect(throws: PinentryError.interrupted) { try pinentry.ask(interruption: ends[0]) }
        #expect(!pinentry.isThere)
    }

    @Test func aProgramThatIsNotThereIsSaidToBe() throws {
        let pinentry = try #require(
            Pinentry(
                environment: { $0 == PinentryProgram.variable ? "/nowhere/pinentry" : nil }, interruption: -1))
        #expect(
            throws: PinentryError.cannotStart(program: "/nowhere/pinentry", reason: "No such file or directory")
        ) {
            try pinentry.ask(.init(description: "CVC", prompt: "CVC:"))
        }
    }

    /// What it is told: texts on one line each, the terminal and the display, and none of the other variables.
    @Test func whatItIsTold() throws {
        let pinentry = try ScriptedPinentry(
            "482913",
            variables: [
                "GPG_TTY": "/dev/pts/77", "TERM": "xterm", "DISPLAY": ":7", "LANG": "C.UTF-8", "LC_MESSAGES": "C",
                "TAPKIT_ROOT_KEY": "02", "SECRET": "x",
            ])
        _ = try pinentry.ask(
            .init(description: "The CVC\nis needed: 100%.\r\u{1B}", prompt: "CVC:", error: "The CVC is wrong."))
        let log = pinentry.log.filter { !$0.hasPrefix("pid ") && !$0.hasPrefix("process ") }
        #expect(
            log == [
                "environment DISPLAY GPG_TTY LANG LC_MESSAGES PATH PINENTRY_USER_DATA TERM", "arguments ",
                "OPTION display=:7", "OPTION ttyname=/dev/pts/77", "OPTION ttytype=xterm", "OPTION lc-ctype=C.UTF-8",
                "OPTION lc-messages=C", "SETTITLE tapkit", "SETTIMEOUT 300",
                "SETDESC The CVC%0Ais needed: 100%25.%0D%1B", "SETPROMPT CVC:", "SETERROR The CVC is wrong.", "GETPIN",
                "BYE",
            ])
    }

    /// A process of its own: in no terminal's group, with no signal blocked, and without what this program has open.
    @Test func itIsLeftAlone() throws {
        let folder = try TemporaryFolder()
        let descriptor = open(try folder.write("", to: "ours"), O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var (blocked, before) = (sigset_t(), sigset_t())
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let pinentry = try ScriptedPinentry("482913")
        _ = try pinentry.ask()
        let log = pinentry.log
        #expect(log.contains("process leads True, blocks 0"), "\(log)")
        #expect(log.contains { $0.hasPrefix("process has ") } && !log.contains { $0.hasSuffix("/ours") }, "\(log)")
    }

    @Test func commandsAreCutBehindAWholeCharacter() {
        for length in 970...1000 {
            let line = AssuanCommand("SETDESC", String(repeating: "x", count: length) + "%ä\n€").line
            #expect(line.count <= AssuanCommand.maximumLength)
            #expect(line.last == UInt8(ascii: "\n"))
            #expect(String(validating: line, as: UTF8.self) != nil)
            // No sign of percent is left without its digits.
            #expect(!String(decoding: line, as: UTF8.self).replacing(#/%[0-9A-F]{2}/#, with: "").contains("%"))
        }
    }
}

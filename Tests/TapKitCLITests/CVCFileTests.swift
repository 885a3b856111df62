import Bitcoin
import Glibc
import TapProtocol
import TestSupport
import Testing

@testable import TapKitCLI

@Suite struct CVCFileTests {
    private static func card(_ number: UInt8) throws -> CardIdent {
        CardIdent(of: try PrivateKey(SecretBytes([UInt8](repeating: number, count: 32))).publicKey)
    }

    private func book(_ text: String) throws -> CVCFile { try CVCFile(Array(text.utf8), of: "cvcs") }

    private func expect(
        _ cvc: CVC?, _ digits: String?, at location: SourceLocation = #_sourceLocation
    ) throws {
        guard let digits else {
            #expect(cvc == nil, sourceLocation: location)
            return
        }
        #expect(try cvc?.isEqual(to: CVC(digits)) == true, sourceLocation: location)
    }

    @Test(arguments: ["123456", "123456\n", "\n\r\n  123456\r\n", "123456\n654321\nsome more words\n"])
    func oneCVCIsForEveryCard(_ text: String) throws {
        for number in 1...3 as ClosedRange<UInt8> { try expect(book(text).cvc(of: Self.card(number)), "123456") }
    }

    @Test func cardsHaveTheirOwn() throws {
        let (one, two, three) = (try Self.card(1), try Self.card(2), try Self.card(3))
        let plain = "\(one.text.filter { $0 != "-" }) 111111\n"
        try expect(book(plain).cvc(of: one), "111111")
        try expect(book("999999\n" + plain).cvc(of: two), "999999")
        let lines = "\(one.text) 111111\n\(two.text.prefix(7).lowercased()):\t222222\r\n"
        try expect(book(lines).cvc(of: one), "111111")
        try expect(book(lines).cvc(of: two), "222222")
        try expect(book(lines).cvc(of: three), nil)
        let withGeneral = "999999\n" + lines
        try expect(book(withGeneral).cvc(of: one), "111111")
        try expect(book(withGeneral).cvc(of: two), "222222")
        try expect(book(withGeneral).cvc(of: three), "999999")
    }

    @Test func theLongerBeginningIsMeant() throws {
        let card = try Self.card(1)
        for lines in [
            ["\(card.text.prefix(1)) 111111", "\(card.text) 222222"],
            ["\(card.text) 222222", "\(card.text.prefix(1)) 111111"],
        ] {
            try expect(book(lines.joined(separator: "\n")).cvc(of: card), "222222")
        }
    }

    /// A file with one CVC may hold notes below it, as for every other verb.
    @Test(arguments: [
        "changed yesterday", "changed 2024", "the old one was 123457", "8 9", "note: keep this safe", "LOGIN: bob",
        "E-MAIL: bob", "PIN 12", "OLD: 1234", "- 12345678", "A-B 12345678",
    ])
    func notesAreNobodysBusiness(_ note: String) throws {
        for number in 1...3 as ClosedRange<UInt8> {
            try expect(book("123456\n\(note)\n").cvc(of: Self.card(number)), "123456")
        }
    }

    /// A short word below the CVC of any card is no card's, even if a card's ident begins with it.
    @Test func aShortWordIsANote() throws {
        let card = try Self.card(1)
        try expect(book("123456\n\(card.text.prefix(4)) 654321\n").cvc(of: card), "123456")
        for beginning in [card.text.prefix(5), card.text.prefix(6)] {
            try expect(book("123456\n\(beginning) 654321\n").cvc(of: card), "654321")
            try expect(book("123456\n\(beginning): 654321\n").cvc(of: card), "654321")
        }
    }

    /// A slip must not cost a try of another card's CVC.
    @Test(arguments: [
        "", "\n \r\n", "12345", "1234567x", "123456 7890", "YTIZ2-MQZZZ 12345", "123456\nYTIZ2-MQZZZ 12345",
        "123456\nYTIZ2 1234x6", "- 123456", "--- 123456", "123456\nYTIZ2-MQZZZ: 12345", "YTIZ2 111111\nytiz3 12345",
        "one two three",
    ])
    func slipsAreSaid(_ text: String) {
        let failure = #expect(throws: Failure.self) { try book(text) }
        #expect(failure?.code == .badCVC)
    }

    /// The file and the line are named, and never what stands there.
    @Test(arguments: [
        ("12345", ", line 1: A CVC has 6 to 32 digits; this one has 5."), ("", ": It is empty."),
        ("\n123456 7890", ", line 2: This is neither a CVC nor a card's ident with its CVC."),
        ("1234567x", ", line 1: A CVC has digits only, 6 to 32 of them."),
        ("123456\nYTIZ2-MQZZZ 12345", ", line 2: A CVC has 6 to 32 digits; this one has 5."),
    ])
    func theFileAndTheLineAreNamed(_ text: String, _ problem: String) {
        let failure = #expect(throws: Failure.self) { try book(text) }
        #expect(failure?.message == "The CVC file cvcs\(problem)")
        #expect(failure?.hint.contains("--cvc-file") == true)
    }

    /// A terminal shows what is typed: it is not read, whatever is typed there already.
    @Test func aTerminalIsRefused() throws {
        let terminal = try PseudoTerminal()
        let typed = Array("123456\n\u{4}".utf8)
        #expect(Glibc.write(terminal.controller, typed, typed.count) == typed.count)
        let failures = [
            #expect(throws: Failure.self) { try CVCFile(path: terminal.path) },
            #expect(throws: Failure.self) {
                try SecretFile(path: terminal.path, subject: .cvc, option: "--new-cvc-file").firstLine()
            },
        ]
        for failure in failures {
            #expect(failure?.code == .usage && failure?.hint.hasPrefix("Leave out the option or the variable") == true)
            let words = "The CVC file \(terminal.path) is a terminal, which would show what is typed."
            #expect(failure?.message == words)
        }
    }

    @Test func oneForAllIsForAll() throws {
        try expect(CVCFile(CVC("123456")).cvc(of: Self.card(5)), "123456")
    }
}

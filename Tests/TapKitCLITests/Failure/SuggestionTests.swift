import Testing
import TextLayout

@testable import TapKitCLI

@Suite struct SuggestionTests {
    @Test(arguments: [
        ("stauts", "status"), ("Status", "status"), ("satus", "status"), ("unsael", "unseal"), ("sings", "sign"),
        ("walet", "wallet"), ("tx-create", nil), ("st", nil), ("hw", "hwi"), ("recov", "recover"), ("h", nil),
        ("wab", nil), ("sweeping", nil), ("frobnicate", nil), ("", nil),
    ])
    func slipsAreSeen(_ typed: String, _ meant: String?) {
        #expect(TypingSlip.name(for: typed, among: TapkitCommand.verbs) == meant)
    }

    @Test func aVeryLongWordIsNoSlip() {
        #expect(TypingSlip.name(for: String(repeating: "status", count: 100_000), among: TapkitCommand.verbs) == nil)
    }

    @Test(arguments: [(["stauts"], "status", "tapkit help."), (["tx", "shwo"], "tx show", "tapkit help tx.")])
    func anUnknownVerbSaysWhichWasMeant(_ arguments: [String], _ meant: String, _ hint: String) {
        let failure = #expect(throws: Failure.self) { try TapkitCommand.requireVerb(arguments) }
        #expect(failure?.message.contains("Did you mean “\(meant)”?") == true)
        #expect(failure?.hint.hasSuffix(hint) == true && failure?.code == .usage)
    }

    /// Other programs' words.
    @Test(arguments: [
        (["init"], "setup"), (["version"], "--version"), (["cvc"], "change-cvc"), (["Send"], "tx create"),
        (["tx", "send"], "tx broadcast"), (["wallet", "new"], "wallet add"),
        (["url", "https://getsatscard.com/start#u=S"], "url verify"),
    ])
    func otherWordsAreKnown(_ arguments: [String], _ meant: String) {
        let failure = #expect(throws: Failure.self) { try TapkitCommand.requireVerb(arguments) }
        #expect(failure?.message.hasSuffix("Did you mean “\(meant)”?") == true, "\(failure?.message ?? "")")
    }

    @Test func whatIsMeantExists() {
        for (word, meant) in Synonym.commands where meant != "--version" {
            let words = meant.split(separator: " ").map(String.init)
            #expect(TapkitCommand.verb(of: words) == words, "\(word)")
            let typed = word.split(separator: " ").map(String.init)
            #expect(TapkitCommand.verb(of: typed) != typed, "\(word) is a verb itself")
        }
    }

    @Test(arguments: [
        [], ["status"], ["tx", "list"], ["sign", "file.psbt"], ["backup"], ["--json"], ["url", "--json"],
    ])
    func whatIsKnownPasses(_ arguments: [String]) throws { try TapkitCommand.requireVerb(arguments) }

    /// Whatever the parser guesses, an option that answers questions, overwrites or sends is not named.
    @Test(arguments: [
        ["status", "--xyz"], ["status", "--yse"], ["sign", "x", "--allow-sighsh"],
        ["sweep", "--brodcast", "--to", "x"],
    ])
    func dangerousOptionsAreNotSuggested(_ arguments: [String]) throws {
        let error = #expect(throws: (any Error).self) { _ = try TapkitCommand.parseAsRoot(arguments) }
        let said = TapkitCommand.message(for: try #require(error))
        #expect(said.contains("Did you mean '--"))
        let message = Suggestion.withoutRiskyOption(said)
        #expect(message.contains("Unknown option") && !message.contains("Did you mean"))
    }

    /// The parser's idea of what is near is not ours.
    @Test(arguments: [
        ["status", "--slot", "3"], ["status", "--forc"], ["sign", "x", "--out"],
    ])
    func farFetchedOptionsAreNotSuggested(_ arguments: [String]) throws {
        let error = #expect(throws: (any Error).self) { _ = try TapkitCommand.parseAsRoot(arguments) }
        let said = TapkitCommand.message(for: try #require(error))
        let option = try #require(arguments.first { $0.hasPrefix("--") })
        #expect(said.contains("Did you mean") && Suggestion.withoutRiskyOption(said) == "Unknown option '\(option)'.")
    }

    @Test func otherOptionsAre() throws {
        for typed in ["--raeder", "--Reader", "--read"] {
            let error = #expect(throws: (any Error).self) {
                _ = try TapkitCommand.parseAsRoot(["status", typed, "pcsc"])
            }
            let message = Suggestion.withoutRiskyOption(TapkitCommand.message(for: try #require(error)))
            #expect(message == "Unknown option '\(typed)'. Did you mean '--reader'?")
        }
    }
}

import Bitcoin
import Foundation
import TestSupport
import Testing

/// Questions on a terminal.
@Suite struct TerminalTests {
    private static let asked: [String: String?] = ["TAPKIT_CVC_FILE": nil]

    @Test func theCVCIsAskedForWithoutEcho() async throws {
        let workshop = try await Workshop()
        let terminal = try Terminal(workshop, "xpub", environment: Self.asked)
        let prompt = try await terminal.shows("CVC of card ")
        #expect(!terminal.echoes)
        terminal.type(Workshop.printedCVC + "\n")
        #expect(try await terminal.ending() == .exited(0))
        #expect(terminal.output.hasPrefix("tpub"))
        #expect(terminal.echoes)
        terminal.type("end\n")
        let rest = try await terminal.shows("end")
        #expect(!(prompt + rest).contains(Workshop.printedCVC))
    }

    @Test func aMistypedCVCIsAskedForAgain() async throws {
        let workshop = try await Workshop()
        let terminal = try Terminal(workshop, "xpub", environment: Self.asked)
        try await terminal.shows("CVC of card ")
        terminal.type("000000\n")
        let again = try await terminal.shows("CVC of card ")
        #expect(again.contains("The CVC is wrong. At most 2 more wrong tries"))
        try await terminal.waitUntil(echoes: false)
        terminal.type(Workshop.printedCVC + "\n")
        #expect(try await terminal.ending() == .exited(0))
        #expect(terminal.output.hasPrefix("tpub"))
    }

    @Test func controlCAtThePromptRestoresTheTerminal() async throws {
        let workshop = try await Workshop()
        let terminal = try Terminal(workshop, "xpub", environment: Self.asked)
        try await terminal.shows("CVC of card ")
        #expect(!terminal.echoes)
        terminal.type("12\u{3}")
        #expect(try await terminal.ending() == .exited(130))
        #expect(terminal.echoes)
    }

    /// Ctrl-\ ends it as it ends any program, but for the terminal, which would stay without its echo.
    @Test func quittingAtThePromptRestoresTheTerminal() async throws {
        let workshop = try await Workshop()
        let terminal = try Terminal(workshop, "xpub", environment: Self.asked)
        try await terminal.shows("CVC of card ")
        #expect(!terminal.echoes)
        terminal.type("12\u{1C}")
        // `setsid` ends with the number of the signal.
        #expect(try await terminal.ending() == .exited(SIGQUIT))
        #expect(terminal.echoes)
        #expect(terminal.output.isEmpty)
    }

    /// What is signed is shown, and confirmed, before the CVC is asked for; `--yes` answers.
    @Test(arguments: ["n", "y", "--yes"]) func aMessageIsShownAndConfirmed(_ answer: String) async throws {
        let workshop = try await Workshop()
        let message = "I owe you\u{1B}[2J"
        let options = answer == "--yes" ? [answer] : []
        let terminal = try Terminal(workshop, ["message", "sign", message] + options, environment: Self.asked)
        if options.isEmpty {
            let screen = try await terminal.shows("[y/N]")
            #expect(screen.contains("  | I owe you\u{FFFD}[2J") && screen.contains("m/84h/1h/0h/0/0"))
            #expect(screen.contains("Sign this message with card \(workshop.ident)") && !screen.contains("CVC of card"))
            terminal.type(answer + "\n")
        }
        if answer != "n" {
            let screen = try await terminal.shows("CVC of card ")
            #expect(options.isEmpty || screen.contains("  | I owe you"))
            terminal.type(Workshop.printedCVC + "\n")
        }
        #expect(try await terminal.ending() == .exited(answer == "n" ? 130 : 0))
        #expect(terminal.output.isEmpty == (answer == "n"))
    }

    /// What a coordinator gets is shown, and asked about, before the CVC.
    @Test(arguments: ["y", "n"]) func aKeyRecordIsShownBeforeItIsSigned(_ answer: String) async throws {
        let workshop = try await Workshop()
        try await workshop.tapkit("derive", "m/48h/1h/0h/2h").succeeded()
        let terminal = try Terminal(
            workshop, ["export", "bsms", "--label", "My key"], environment: Self.asked)
        let screen = try await terminal.shows("[y/N]")
        #expect(screen.contains("Description: My key") && screen.contains("m/48h/1h/0h/2h"))
        #expect(screen.contains("Sign this record with card \(workshop.ident)") && !screen.contains("CVC of card"))
        terminal.type(answer + "\n")
        if answer == "y" {
            try await terminal.shows("CVC of card ")
            terminal.type(Workshop.printedCVC + "\n")
        }
        #expect(try await terminal.ending() == .exited(answer == "n" ? 130 : 0))
        #expect(terminal.output.isEmpty == (answer == "n"))
    }

    @Test func theEndOfInputCancels() async throws {
        let workshop = try await Workshop()
        let terminal = try Terminal(workshop, "xpub", environment: Self.asked)
        try await terminal.shows("CVC of card ")
        terminal.type("\u{4}")
        #expect(try await terminal.ending() == .exited(130))
        #expect(terminal.echoes)
    }

    /// Whoever mistypes a new CVC is told how, and asked again.
    @Test func aNewCVCThatCannotBeIsAskedForAgain() async throws {
        let workshop = try await Workshop()
        let terminal = try Terminal(workshop, "change-cvc")
        try await terminal.shows("New CVC")
        terminal.type("314159265358\n")
        try await terminal.shows("Repeat the new CVC")
        terminal.type("314159265359\n")
        #expect(try await terminal.shows("New CVC").contains("The two CVCs do not match."))
        terminal.type(Workshop.printedCVC + "\n")
        #expect(try await terminal.shows("New CVC").contains("That is the current CVC."))
        terminal.type("314159265358\n")
        try await terminal.shows("Repeat the new CVC")
        terminal.type("314159265358\n")
        #expect(try await terminal.ending() == .exited(0))
        let shown = try await workshop.tapkit("sim", "show", "card.json", "--show-keys", "--json").json()
        #expect(shown["cvc"] as? String == "314159265358")
    }

    @Test func newCVCsThatNeverAgreeChangeNothing() async throws {
        let workshop = try await Workshop()
        let terminal = try Terminal(workshop, "change-cvc")
        for _ in 1...3 {
            try await terminal.shows("New CVC")
            terminal.type("12345\n")
        }
        try await terminal.shows("Nothing was changed.")
        #expect(try await terminal.ending() == .exited(77))
        try await workshop.tapkit("xpub").succeeded()
    }

    @Test(arguments: ["n", "", "yess", "ja"])
    func onlyYesIsYes(_ answer: String) async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let terminal = try Terminal(workshop, "sign", "tx.psbt")
        let shown = try await terminal.shows("[y/N]")
        #expect(shown.contains("You pay 0.00090000 test BTC to"))
        #expect(shown.contains("Fee: 1000 sat"))
        terminal.type(answer + "\n")
        #expect(try await terminal.ending() == .exited(130))
        #expect(!FileManager.default.fileExists(atPath: workshop.folder.path("tx.signed.psbt")))
    }

    /// A yes that was typed before the transaction was shown is none to it.
    @Test func whatIsTypedBeforeTheQuestionAnswersNothing() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let terminal = try Terminal(workshop, "sign", "tx.psbt")
        terminal.type("y\n")
        try await terminal.shows("[y/N]")
        terminal.type("n\n")
        #expect(try await terminal.ending() == .exited(130))
        #expect(!FileManager.default.fileExists(atPath: workshop.folder.path("tx.signed.psbt")))
    }

    /// Whoever takes the question for that for the CVC does not leave it on the screen, and is asked again.
    @Test func aCVCThatIsTypedAtAQuestionIsNotShown() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let terminal = try Terminal(workshop, "sign", "tx.psbt", environment: Self.asked)
        var screen = try await terminal.shows("[y/N]")
        #expect(!terminal.echoes)
        terminal.type(Workshop.printedCVC + "\n")
        screen += try await terminal.shows("[y/N]")
        #expect(screen.contains("Digits are not an answer here."))
        terminal.type("y\n")
        screen += try await terminal.shows("CVC of card ")
        terminal.type(Workshop.printedCVC + "\n")
        #expect(try await terminal.ending() == .exited(0))
        screen += terminal.rest()
        #expect(!screen.contains(Workshop.printedCVC) && screen.contains("[y/N] y"))
        #expect(terminal.echoes)
        try await workshop.psbt("tx.signed.psbt").expectVerified()
    }

    /// A backup key has letters, too: none of those behind its first digit stays on the screen.
    @Test func aKeyThatIsTypedAtAQuestionIsNotShown() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let terminal = try Terminal(workshop, "sign", "tx.psbt")
        var screen = try await terminal.shows("[y/N]")
        terminal.type("ab1cd2ef\n")
        screen += try await terminal.shows("[y/N]")
        #expect(screen.contains("[y/N] ab\r\n") && screen.contains("Digits are not an answer here."))
        // What was taken back does not count.
        terminal.type("1\u{7F}no\n")
        screen += try await terminal.shows("Cancelled. Nothing was signed.")
        #expect(screen.contains("[y/N] no\r\n"))
        #expect(try await terminal.ending() == .exited(130))
    }

    /// What is typed while a card is awaited does not show, and answers nothing.
    @Test func whatIsTypedAheadIsNotShown() async throws {
        let workshop = try await Workshop()
        let terminal = try Terminal(
            workshop, ["xpub", "--wait"], environment: ["TAPKIT_CVC_FILE": nil, "TAPKIT_CARD": "NOSUCHCARD"])
        try await terminal.waitUntil(echoes: false)
        terminal.type(Workshop.printedCVC + "\n")
        try await terminal.waitUntilALineLies()
        terminal.type("\u{3}")
        #expect(try await terminal.ending() == .exited(130))
        #expect(!terminal.rest().contains(Workshop.printedCVC))
        #expect(terminal.echoes)
    }

    /// What could lose money wants its word; a yes out of habit is none, and what was mistyped is asked for again.
    @Test(arguments: [["no"], [""], ["y", "fee-high", "fee_hihg"], ["fee_hihg", "fee_high"], ["fee_high"]])
    func aFindingWantsItsWord(_ words: [String]) async throws {
        let workshop = try await Workshop()
        var recipe = SampleWallet.Recipe()
        recipe.fee = 20_000
        let psbt = try await workshop.wallet().psbt(recipe)
        try Data(psbt.serialized()).write(to: workshop.folder.url.appendingPathComponent("tx.psbt"))
        // The card's keys are known, so that it is asked about once.
        try await workshop.tapkit("xpub").succeeded()
        let terminal = try Terminal(workshop, "sign", "tx.psbt")
        let shown = try await terminal.shows("type fee_high:")
        #expect(
            shown.contains("\u{1B}[1;31mWARNING: ") && shown.contains("At stake: 0.00020000 test BTC. [fee_high]"))
        for (number, word) in words.enumerated() {
            if number > 0 { try await terminal.shows("That is not the word. Type fee_high, or no to cancel:") }
            terminal.type(word + "\n")
        }
        let isTyped = words.last == "fee_high"
        if isTyped {
            try await terminal.shows("[y/N]")
            terminal.type("y\n")
        } else {
            try await terminal.shows("Cancelled. Nothing was signed.")
        }
        #expect(try await terminal.ending() == .exited(isTyped ? 0 : 130))
        #expect(FileManager.default.fileExists(atPath: workshop.folder.path("tx.signed.psbt")) == isTyped)
        if isTyped { try await workshop.psbt("tx.signed.psbt").expectVerified() }
    }

    @Test(arguments: ["y", "Yes"])
    func yesSigns(_ answer: String) async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let terminal = try Terminal(workshop, "sign", "tx.psbt")
        try await terminal.shows("[y/N]")
        terminal.type(answer + "\n")
        #expect(try await terminal.ending() == .exited(0))
        try await workshop.psbt("tx.signed.psbt").expectVerified()
    }

    @Test func controlCAtTheQuestionSignsNothing() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let terminal = try Terminal(workshop, "sign", "tx.psbt")
        var screen = try await terminal.shows("[y/N]")
        terminal.type("\u{3}")
        screen += try await terminal.shows("Cancelled. Nothing was signed.")
        #expect(screen.contains("[y/N] \r\n"), "What follows has its own line.")
        #expect(try await terminal.ending() == .exited(130))
        #expect(!FileManager.default.fileExists(atPath: workshop.folder.path("tx.signed.psbt")))
    }

    /// What stands in a file's name cannot drive the terminal.
    @Test func escapeSequencesAreShownHarmless() async throws {
        let workshop = try await Workshop()
        let terminal = try Terminal(workshop, "sign", "\u{1B}[2Jevil\u{202E}.psbt")
        let shown = try await terminal.shows("No such file")
        #expect(shown.contains("evil"))
        #expect(!shown.contains("\u{1B}[2J") && !shown.contains("\u{202E}"))
        #expect(try await terminal.ending() == .exited(66))
    }
}

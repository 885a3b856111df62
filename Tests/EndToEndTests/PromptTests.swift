import Bitcoin
import Foundation
import TestSupport
import Testing

/// What people meet at prompts: what is wrong is said at once, asked for again, and nothing typed is shown or lost.
@Suite struct PromptTests {
    private static let asked: [String: String?] = ["TAPKIT_CVC_FILE": nil]
    private static let newCVC = "314159265358"

    @Test(arguments: [["setup"], ["change-cvc"]])
    func aWrongCurrentCVCIsSaidBeforeTheNewOneIsAskedFor(_ verb: [String]) async throws {
        let workshop = try await Workshop(isSetUp: verb != ["setup"])
        let terminal = try Terminal(workshop, verb, environment: Self.asked)
        try await terminal.shows("CVC of card ")
        terminal.type("000000\n")
        let again = try await terminal.shows("CVC of card ")
        #expect(again.contains("The CVC is wrong. At most 2 more wrong tries") && !again.contains("New CVC"))
        terminal.type(Workshop.printedCVC + "\n")
        try await terminal.shows("New CVC for card ")
        terminal.type(Self.newCVC + "\n")
        try await terminal.shows("Repeat the new CVC:")
        terminal.type(Self.newCVC + "\n")
        #expect(try await terminal.ending() == .exited(0))
        let shown = try await workshop.tapkit("sim", "show", "card.json", "--show-keys", "--json").json()
        #expect(shown["cvc"] as? String == Self.newCVC)
    }

    @Test(arguments: [
        ["backup", "verify", "backup.aes", "--no-card"], ["backup", "verify", "backup.aes", "--key-file", "-"],
    ])
    func aMistypedBackupKeyIsAskedForAgain(_ verb: [String]) async throws {
        let workshop = try await Workshop()
        let key = try workshop.writeBackupKey()
        let terminal = try Terminal(workshop, verb)
        var screen = try await terminal.shows("Backup key (")
        terminal.type(key.dropLast() + "\n")
        screen += try await terminal.shows("Backup key (")
        #expect(screen.contains("A backup key has 32 characters; this one has 31."))
        terminal.type(String(repeating: "0", count: 32) + "\n")
        screen += try await terminal.shows("Backup key (")
        #expect(screen.contains("The backup cannot be decrypted with this key."))
        #expect(!terminal.echoes)
        terminal.type(key + "\n")
        #expect(try await terminal.ending() == .exited(0))
        screen += terminal.rest()
        #expect(!screen.contains(key.dropLast()) && terminal.echoes)
    }

    @Test func threeKeysThatAreNoneEndIt() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let terminal = try Terminal(workshop, "recover", "sign", "tx.psbt", "--backup", "backup.aes")
        try await terminal.shows("[y/N]")
        terminal.type("y\n")
        for _ in 1...3 {
            try await terminal.shows("Backup key (")
            terminal.type(String(repeating: "g", count: 32) + "\n")
        }
        try await terminal.shows("only digits, and letters from A to F.")
        #expect(try await terminal.ending() == .exited(65))
    }

    /// What was pasted in two lines is one wrong key, and its second half is neither shown nor taken for the next answer.
    @Test func whatIsPastedInTwoLinesIsDropped() async throws {
        let workshop = try await Workshop()
        let key = try workshop.writeBackupKey()
        let terminal = try Terminal(workshop, "backup", "show", "backup.aes", "--yes")
        var screen = try await terminal.shows("Backup key (")
        terminal.type("\(key.prefix(16))\n\(key.suffix(16))\n")
        screen += try await terminal.shows("Backup key (")
        #expect(screen.contains("this one has 16."))
        // If the second half were still there, it would be the next answer, and this one the third and last.
        terminal.type(String(repeating: "g", count: 32) + "\n")
        screen += try await terminal.shows("Backup key (")
        terminal.type("\u{3}")
        screen += try await terminal.shows("Cancelled. Nothing was shown.")
        #expect(try await terminal.ending() == .exited(130))
        screen += terminal.rest()
        #expect(screen.components(separatedBy: "Backup key (").count == 4)
        #expect(!screen.contains(key.suffix(16)) && terminal.output.isEmpty)
    }

    /// `-` is standard input, and has other names; where that is a terminal, people are asked as ever, and nothing that
    /// they type is shown.
    @Test(arguments: ["-", "/dev/stdin"]) func aCVCFromATerminalIsNotShown(_ name: String) async throws {
        let workshop = try await Workshop.satscard("--used-slots", "1")
        let offered = try await workshop.tapkit("slots", environment: Self.asked).succeeded()
        #expect(offered.errorText.contains("add --cvc-file -: you are then asked for the CVC."))
        for verb in ["slots", "verify"] {
            let terminal = try Terminal(workshop, verb, "--cvc-file", name, environment: Self.asked)
            var screen = try await terminal.shows("CVC of card ")
            #expect(!terminal.echoes)
            terminal.type(Workshop.satscardCVC + "\n")
            #expect(try await terminal.ending() == .exited(0))
            screen += terminal.rest()
            #expect(!screen.contains(Workshop.satscardCVC) && !screen.contains("add --cvc-file"))
            #expect(terminal.output.contains(verb == "slots" ? "UNSEALED" : "which is unsealed"))
            #expect(!terminal.output.contains("According to the card"))
        }
    }

    /// Under any other name, a terminal would show it: that is refused before anybody types.
    @Test(arguments: [
        (["xpub", "--cvc-file"], "The CVC file /dev/tty is"),
        (["change-cvc", "--new-cvc-file"], "The CVC file /dev/tty is"),
        (["backup", "verify", "backup.aes", "--key-file"], "The backup key file /dev/tty is"),
    ])
    func aTerminalIsNotReadAsAFile(_ verb: [String], _ words: String) async throws {
        let workshop = try await Workshop()
        let terminal = try Terminal(workshop, verb + ["/dev/tty"])
        #expect(try await terminal.ending() == .exited(64))
        #expect(terminal.rest().contains(words))
    }

    @Test(arguments: [
        (["xpub"], "CVC of card ", "No key was read."), (["backup"], "CVC of card ", "No backup was made."),
        (["change-cvc"], "CVC of card ", "Nothing was changed."),
        (["sign", "tx.psbt"], "[y/N]", "Nothing was signed."),
        (["sign", "tx.psbt", "--yes"], "CVC of card ", "Nothing was signed."),
        (["message", "sign", "x", "--yes"], "CVC of card ", "Nothing was signed."),
    ])
    func controlCSaysWhatIsUndone(_ verb: [String], _ prompt: String, _ words: String) async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let terminal = try Terminal(workshop, verb, environment: Self.asked)
        try await terminal.shows(prompt)
        terminal.type("\u{3}")
        try await terminal.shows("Cancelled. \(words)")
        #expect(try await terminal.ending() == .exited(130))
        #expect(terminal.output.isEmpty)
    }

    /// What was done before the question stays said.
    @Test func controlCAtAnOfferDoesNotDenyWhatHappened() async throws {
        let workshop = try await Workshop.satscard()
        let terminal = try Terminal(workshop, "unseal")
        try await terminal.shows("[y/N]")
        terminal.type("y\n")
        try await terminal.shows("Set up slot 2 now")
        terminal.type("\u{3}")
        let screen = try await terminal.shows("Slot 2 was not set up.")
        #expect(try await terminal.ending() == .exited(130))
        #expect(!screen.contains("Nothing was") && terminal.output.contains("Key (WIF): "))
    }

    /// A lockout is said before the question, with the way on; on a narrow terminal its seconds stay visible.
    @Test func aLockoutIsSaidFirst() async throws {
        let workshop = try await Workshop.satscard("--wait-ms", "0")
        try workshop.folder.write("000000", to: "wrong")
        for _ in 1...3 {
            try await workshop.tapkit("unseal", "--yes", "--json", "--cvc-file", "wrong")
                .expectFailure(77, "wrong_cvc")
        }
        let refusing = try Terminal(workshop, "unseal", environment: Self.asked)
        let screen = try await refusing.shows("[y/N]")
        #expect(screen.contains("The card is locked out after wrong CVCs: 15 seconds left."))
        #expect(screen.contains("tapkit wait") && !screen.contains("CVC of card"))
        refusing.type("n\n")
        #expect(try await refusing.ending() == .exited(130))

        let terminal = try Terminal(workshop, ["unseal", "--yes"], columns: 50)
        #expect(try await terminal.ending() == .exited(0))
        let drawn = terminal.rest().components(separatedBy: "\r\u{1B}[K").filter { $0.hasPrefix("Lockout: ") }
        for seconds in 1...15 { #expect(drawn.contains { $0.hasPrefix("Lockout: \(seconds) s left.") }, "\(drawn)") }
        #expect(drawn.allSatisfy { $0.count < 50 })
    }

    /// Prompts are broken between words, and have only signs that the terminal can show.
    @Test func promptsFitTheTerminal() async throws {
        let workshop = try await Workshop()
        try await workshop.tapkit("card", "name", workshop.ident, "The blue card in the drawer").succeeded()
        let terminal = try Terminal(
            workshop, ["xpub"], environment: Self.asked.merging(["LC_ALL": "C"]) { $1 }, columns: 50)
        let screen = try await terminal.shows("drawer\"")
        #expect(screen.contains("\"The") && screen.utf8.allSatisfy { $0 < 0x80 })
        let lines = screen.replacing("\u{1B}[K", with: "").split(whereSeparator: \.isNewline)
        #expect(lines.count > 1 && lines.allSatisfy { $0.count <= 50 }, "\(screen)")
        terminal.type("\u{3}")
        #expect(try await terminal.ending() == .exited(130))
    }

    /// A file that has no CVC is named.
    @Test func aFileWithoutACVCIsNamed() async throws {
        let workshop = try await Workshop()
        try workshop.folder.write("12345\n", to: "short")
        for (file, option, status, words) in [
            ("nowhere", "--cvc-file", 66, "The CVC file nowhere: No such file"),
            ("short", "--cvc-file", 77, "The CVC file short, line 1: A CVC has 6 to 32 digits; this one has 5."),
            (".", "--cvc-file", 65, "The CVC file .: Is a directory"),
            ("short", "--new-cvc-file", 77, "The CVC file short: A CVC has 6 to 32 digits; this one has 5."),
            (".", "--new-cvc-file", 65, "The CVC file .: The line cannot be read: Is a directory"),
        ] as [(String, String, Int32, String)] {
            let run = try await workshop.tapkit("change-cvc", option, file)
            #expect(run.status == status && run.errorText.contains(words), "\(run.errorText)")
            #expect(!run.errorText.contains("12345"))
        }
        let empty = try await workshop.tapkit("xpub", "--cvc-file", "-")
        #expect(empty.errorText.contains("Standard input: A CVC has 6 to 32 digits; this one has none."))
    }

    /// `tapkit` alone says the same to programs: what is on the readers and what to do next, or the help.
    @Test func tapkitAloneAnswersInJSON() async throws {
        let workshop = try await Workshop()
        let answer = try await workshop.tapkit("--json").succeeded().json()
        answer.expectKeys("cards next text")
        let cards: [[String: Any]] = try answer.field("cards")
        #expect(cards.map { $0["ident"] as? String } == [workshop.ident])
        #expect(try answer.text("next").hasPrefix("tapkit xpub"))
        #expect(try await workshop.tapkit([]).succeeded().text == answer.text("text") + "\n")

        let absent: [String: String?] = ["TAPKIT_CARD": "ZZZZZ-ZZZZZ"]
        let help = try await workshop.tapkit("--json", environment: absent).succeeded().json()
        help.expectKeys("cards text")
        #expect(try (help.field("cards") as [Any]).isEmpty && help.text("text").contains("tapkit help VERB"))
        try await workshop.tapkit("--json", "--card", "ZZZZZ-ZZZZZ").expectFailure(75, "no_card")
    }
}

import Foundation
import TestSupport
import Testing

/// A backup's questions on a terminal.
@Suite struct BackupTerminalTests {
    private func workshop() async throws -> Workshop {
        let workshop = try await Workshop()
        try workshop.writeBackupKey()
        return workshop
    }

    /// The first question needs a yes, the second one its word: a yes given out of habit does not show the key.
    @Test func showingAsksTwice() async throws {
        let workshop = try await workshop()
        let xprv = try await workshop.wallet().master.text
        for answers in [["n"], ["show"], ["y", "n"], ["y", "no"], [""], ["y", ""]] {
            let terminal = try Terminal(workshop, "backup", "show", "backup.aes", "--key-file", "key")
            for (question, answer) in zip(["[y/N]", "continue:"], answers) {
                try await terminal.shows(question)
                terminal.type(answer + "\n")
            }
            let rest = try await terminal.shows("Cancelled. Nothing was shown.")
            #expect(try await terminal.ending() == .exited(130))
            #expect(terminal.output.isEmpty && !rest.contains(xprv), "\(answers)")
        }
        // Whatever is not the word is asked for again, and never taken for it.
        let wrong = try Terminal(workshop, "backup", "show", "backup.aes", "--key-file", "key")
        try await wrong.shows("[y/N]")
        wrong.type("y\n")
        try await wrong.shows("continue:")
        for word in ["y", "yes"] {
            wrong.type(word + "\n")
            try await wrong.shows("That is not the word. Type SHOW, or no to cancel:")
        }
        wrong.type("shows\n")
        try await wrong.shows("Cancelled. Nothing was shown.")
        #expect(try await wrong.ending() == .exited(130) && wrong.output.isEmpty)

        let terminal = try Terminal(workshop, "backup", "show", "backup.aes", "--key-file", "key")
        let first = try await terminal.shows("[y/N]")
        terminal.type("y\n")
        let second = try await terminal.shows("continue:")
        terminal.type("SHOW\n")
        #expect(try await terminal.ending() == .exited(0))
        let fingerprint = try await workshop.wallet().fingerprint.description
        #expect(first.contains("master private key") && !first.contains(fingerprint))
        #expect(second.contains(fingerprint) && second.contains("SHOW") && !second.contains("[y/N]"))
        // The key goes to standard output alone, which is not the terminal here.
        #expect(terminal.output.contains("Master key: \(xprv)\n"))
        #expect(terminal.output.contains("Path: m/84h/1h/0h") && terminal.output.contains(fingerprint))
        #expect(terminal.output.contains("Anyone who sees this key can take all the card's money"))
        #expect(![first, second, terminal.rest()].contains { $0.contains(xprv) })
    }

    /// What is pasted at once does not answer the second question.
    @Test func theWordIsNotTakenFromTheFirstLine() async throws {
        let workshop = try await workshop()
        let terminal = try Terminal(workshop, "backup", "show", "backup.aes", "--key-file", "key")
        try await terminal.shows("[y/N]")
        terminal.type("y\nshow\n")
        try await terminal.shows("continue:")
        // If the word were still there, it would be the answer, before this one.
        terminal.type("n\n")
        #expect(try await terminal.ending() == .exited(130) && terminal.output.isEmpty)
    }

    @Test func withoutATerminalNobodyIsShownAnything() async throws {
        let workshop = try await workshop()
        let show = ["backup", "show", "backup.aes", "--key-file", "key", "--json"]
        try await workshop.tapkit(show).expectFailure(64, "confirmation_needed")
        let answer = try await workshop.tapkit(show + ["--yes"], environment: Workshop.offline)
            .succeeded().json()
        answer.expectKeys("valid xprv fingerprint path network")
        #expect(try await answer.text("xprv") == workshop.wallet().master.text)
        #expect(try answer.text("path") == "m/84h/1h/0h" && answer.text("network") == "test")
        try await workshop.tapkit(show + ["--yes", "--network", "main"]).expectFailure(65, "wrong_network")
    }

    /// Nothing that is set once and for all, for readers, servers or another network, keeps a backup from being shown; what is typed
    /// is held to make sense.
    @Test func noSettingIsInTheWay() async throws {
        let workshop = try await workshop()
        let show = ["backup", "show", "backup.aes", "--key-file", "key", "--json", "--yes"]
        let set: [String: String?] = [
            "TAPKIT_READER": "floppy", "TAPKIT_NETWORK": "main", "TAPKIT_CHAIN": "nowhere", "TAPKIT_ROOT_KEY": "00ff",
            "TAPKIT_CVC_FILE": "/none", "TAPKIT_DATA_DIR": "/none", "TAPKIT_PROXY": "?",
        ]
        let answer = try await workshop.tapkit(show, environment: set).succeeded().json()
        #expect(try await answer.text("xprv") == workshop.wallet().master.text && answer.text("network") == "test")
        try FileManager.default.createDirectory(
            atPath: workshop.folder.path("tapkit"), withIntermediateDirectories: true)
        try workshop.folder.write("{", to: "tapkit/config.json")
        try await workshop.tapkit(show, environment: ["XDG_CONFIG_HOME": workshop.folder.url.path]).succeeded()
        for wrong in [
            ["--network", "moon"], ["--reader", "floppy"], ["--chain", "nowhere"], ["--root-key", "00ff"],
        ] {
            try await workshop.tapkit(show + wrong).expectFailure(64, "usage")
        }
    }

    @Test(arguments: [["backup", "verify", "backup.aes", "--no-card"], ["backup", "show", "backup.aes", "--yes"]])
    func theKeyIsAskedForWithoutEcho(_ verb: [String]) async throws {
        let workshop = try await workshop()
        let key = try workshop.writeBackupKey()
        let terminal = try Terminal(workshop, verb)
        var screen = try await terminal.shows("Backup key")
        #expect(!terminal.echoes)
        terminal.type(key.uppercased() + "\n")
        #expect(try await terminal.ending() == .exited(0))
        #expect(terminal.echoes && terminal.output.contains("Fingerprint: "))
        screen += terminal.rest()
        #expect(!screen.lowercased().contains(key))

        let interrupted = try Terminal(workshop, verb)
        try await interrupted.shows("Backup key")
        interrupted.type(key.prefix(9) + "\u{3}")
        try await interrupted.shows("Cancelled. Nothing was ")
        #expect(try await interrupted.ending() == .exited(130))
        #expect(interrupted.echoes && interrupted.output.isEmpty)
    }

    /// The same question as `sign`, in the same order: review, yes, key.
    @Test(arguments: ["n", "y"]) func recoveringAsks(_ answer: String) async throws {
        let workshop = try await workshop()
        let key = try workshop.writeBackupKey()
        try await workshop.writePSBT()
        let terminal = try Terminal(workshop, "recover", "sign", "tx.psbt", "--backup", "backup.aes")
        let screen = try await terminal.shows("[y/N]")
        for part in ["You pay", "Fee:", "Sign with the key in the backup?"] {
            #expect(screen.contains(part), "\(part)")
        }
        #expect(!screen.contains("HOT"))
        terminal.type(answer + "\n")
        if answer == "y" {
            try await terminal.shows("Backup key")
            terminal.type(key + "\n")
            try await terminal.shows("HOT")
        }
        #expect(try await terminal.ending() == .exited(answer == "y" ? 0 : 130))
        #expect(FileManager.default.fileExists(atPath: workshop.folder.path("tx.signed.psbt")) == (answer == "y"))
    }
}

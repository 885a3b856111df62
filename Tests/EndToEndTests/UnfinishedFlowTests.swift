import Foundation
import TapSimulator
import TestSupport
import Testing

/// `tapkit` killed in the middle of a flow: `status` tells what is unfinished, and no more once it was finished.
@Suite struct UnfinishedFlowTests {
    /// A verb that is killed after the card heard a command and before its answer came.
    struct Break: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let arguments: [String]
        /// The command whose answer is lost, and which of those the card hears.
        let command: String
        var occurrence = 1
        /// What `unfinished` says.
        let flow: String
        let words: [String]
        let hint: @Sendable (Workshop) throws -> String
        let prepare: @Sendable () async throws -> Workshop
        /// What finishes it, without `--yes`.
        let finish: [String]
    }

    private static func workshop(isSetUp: Bool = true) async throws -> Workshop {
        let workshop = try await Workshop(isSetUp: isSetUp)
        try workshop.folder.write("907311548263", to: "new")
        return workshop
    }

    static let breaks = [
        Break(
            testDescription: "setup", arguments: ["setup", "--backup", "b's own.aes", "--new-cvc-file", "new"],
            command: "new", flow: "setup", words: ["the card was picking its key"],
            hint: { #"tapkit setup --backup '\#($0.folder.path(#"b'\''s own.aes"#))'"# },
            prepare: { try await workshop(isSetUp: false) },
            finish: ["setup", "--backup", "b's own.aes", "--new-cvc-file", "new"]),
        Break(
            testDescription: "setup that keeps the CVC", arguments: ["setup", "--backup", "b.aes", "--keep-cvc"],
            command: "backup", flow: "setup", words: ["the backup was being made"],
            hint: { "tapkit setup --backup \($0.folder.path("b.aes")) --keep-cvc" },
            prepare: { try await workshop(isSetUp: false) }, finish: ["setup", "--backup", "b.aes", "--keep-cvc"]),
        Break(
            testDescription: "change-cvc", arguments: ["change-cvc", "--new-cvc-file", "new"], command: "change",
            flow: "change-cvc", words: ["either the old or the new one"],
            hint: { _ in "tapkit change-cvc" }, prepare: { try await workshop() },
            finish: ["change-cvc", "--new-cvc-file", "new"]),
        Break(
            testDescription: "backup", arguments: ["backup", "-o", "copy.aes"], command: "backup", flow: "backup",
            words: ["may not be saved in /", "/copy.aes"],
            hint: { "tapkit backup -o \($0.folder.path("copy.aes"))" },
            prepare: { try await workshop() }, finish: ["backup", "-o", "copy.aes"]),
        Break(
            testDescription: "derive", arguments: ["derive", "m/84h/1h/3h"], command: "derive", flow: "derive",
            words: ["from path m/84h/1h/0h to m/84h/1h/3h"], hint: { _ in "tapkit derive m/84h/1h/3h" },
            prepare: { try await workshop() }, finish: ["derive", "m/84h/1h/3h"]),
        Break(
            testDescription: "sign at another path", arguments: ["sign", "tx.psbt", "--yes"], command: "sign",
            occurrence: 3, flow: "sign", words: ["2 of 5 signed by this card", "the card's own path is m/84h/1h/7h"],
            hint: { "tapkit tx sign \(try $0.psbt("tx.psbt").unsignedTransaction.id)" },
            prepare: {
                let workshop = try await UnfinishedFlowTests.workshop()
                try await workshop.writePSBT(inputs: 5)
                try await workshop.tapkit("derive", "m/84h/1h/7h").succeeded()
                return workshop
            }, finish: ["sign", "tx.psbt"]),
        Break(
            testDescription: "unseal", arguments: ["unseal", "--yes"], command: "unseal", flow: "unseal",
            words: ["slot 1", "its key was not shown"], hint: { _ in "tapkit unseal" },
            prepare: { try await .satscard() }, finish: ["unseal"]),
    ]

    @Test(arguments: breaks) func aKilledFlowIsToldUntilItIsFinished(_ job: Break) async throws {
        let workshop = try await job.prepare()
        let before = try await workshop.tapkit("status", "--json").succeeded().json()
        #expect(try before.field("unfinished", as: [[String: Any]].self).isEmpty)
        #expect(try await !workshop.tapkit("status").succeeded().text.contains("Unfinished"))
        // On a copy, to see when.
        let heard = try await Workshop(copying: workshop).tapkit(job.arguments + ["--trace"]).succeeded().heard
        let places = heard.indices.filter { heard[$0] == job.command }
        let place = try #require(places.dropFirst(job.occurrence - 1).first, "\(heard)") + 1
        try await ServedCard.lay(workshop, on: .nfc, serving: ["--pull-at", "\(place):after"]) { card in
            let running = try card.start(job.arguments + ["--wait"])
            try await running.errorText(contains: "Card removed")
            #expect(try await running.stop(signal: SIGKILL) == .signalled(SIGKILL))
        }

        let told = try await workshop.tapkit("status", "--json").succeeded().json()
        let unfinished: [[String: Any]] = try told.field("unfinished")
        // A change of the CVC is part of a setup.
        let entry = try #require(unfinished.first { $0["flow"] as? String == job.flow }, "\(unfinished)")
        entry.expectKeys("flow message hint since")
        for words in job.words { #expect(try entry.text("message").contains(words), "\(entry)") }
        let command = try job.hint(workshop)
        #expect(try entry.text("hint") == command)
        #expect(try abs(entry.field("since", as: Double.self) - Date().timeIntervalSince1970) < 600)
        let text = try await workshop.tapkit("status").succeeded().text
        #expect(text.contains("  Unfinished: "), "\(text)")
        #expect(text.contains("  Next: \(command) to continue what was interrupted"), "\(text)")

        try await workshop.tapkit(job.finish + ["--yes"]).succeeded()
        let after = try await workshop.tapkit("status", "--json").succeeded().json()
        #expect(try after.field("unfinished", as: [[String: Any]].self).isEmpty)
        #expect(try await !workshop.tapkit("status").succeeded().text.contains("Unfinished"))
    }

    /// What `status` says, word for word, is what finishes it; and the card is where it belongs.
    @Test func theHintFinishesASigning() async throws {
        let job = try #require(Self.breaks.first { $0.flow == "sign" })
        let workshop = try await job.prepare()
        let heard = try await Workshop(copying: workshop).tapkit(job.arguments + ["--trace"]).succeeded().heard
        // The first signature of the transaction; those before prove the card's accounts.
        let pairs = Array(zip(heard, heard.dropFirst()))
        let place = try #require(pairs.firstIndex { $0 == ("status", "sign") }) + 2
        try await ServedCard.lay(workshop, on: .nfc, serving: ["--pull-at", "\(place):after"]) { card in
            let running = try card.start(job.arguments + ["--wait"])
            try await running.errorText(contains: "Card removed")
            #expect(try await running.stop(signal: SIGKILL) == .signalled(SIGKILL))
        }
        #expect(try await workshop.cardPath() == "m/84h/1h/0h")
        let told: [[String: Any]] = try await workshop.tapkit("status", "--json").succeeded().json().field("unfinished")
        let command = try #require(told.first).text("hint").split(separator: " ").dropFirst().map(String.init)
        try await workshop.tapkit(command + ["--yes", "--json"]).succeeded().json().expectComplete(inputs: 5)
        #expect(try await workshop.cardPath() == "m/84h/1h/7h")
    }

    /// What the card refused did not begin.
    @Test(arguments: ["setup", "change-cvc", "backup", "derive"]) func aWrongCVCLeavesNothingUnfinished(
        _ flow: String
    ) async throws {
        let job = try #require(Self.breaks.first { $0.flow == flow })
        let workshop = try await job.prepare()
        try workshop.folder.write("111111", to: "wrong")
        try await workshop.tapkit(job.arguments + ["--cvc-file", "wrong", "--json"]).expectFailure(77, "wrong_cvc")
        let after = try await workshop.tapkit("status", "--json").succeeded().json()
        #expect(try after.field("unfinished", as: [[String: Any]].self).isEmpty)
    }

    @Test(arguments: [["unseal", "--yes"], ["setup"]]) func aWrongCVCLeavesNoSlotUnfinished(
        _ arguments: [String]
    ) async throws {
        let workshop = try await Workshop.satscard("--blank")
        if arguments[0] == "unseal" { try await workshop.tapkit("setup").succeeded() }
        try workshop.folder.write("111111", to: "wrong")
        try await workshop.tapkit(arguments + ["--cvc-file", "wrong", "--json"]).expectFailure(77, "wrong_cvc")
        let after = try await workshop.tapkit("status", "--json").succeeded().json()
        #expect(try after.field("unfinished", as: [[String: Any]].self).isEmpty)
    }

    /// A transaction that the card signed in part is told, also when the card was busy with another one since.
    @Test func aTransactionThatIsSignedInPartIsTold() async throws {
        let workshop = try await StoreJob.importing.prepare()
        let id = try workshop.psbt("first.psbt").unsignedTransaction.id
        try await workshop.tapkit(["tx", "import", "first.psbt"]).succeeded()
        let told: [[String: Any]] = try await workshop.tapkit("status", "--json").succeeded().json().field("unfinished")
        let entry = try #require(told.first)
        #expect(told.count == 1)
        #expect(try entry.text("flow") == "sign" && entry.text("hint") == "tapkit tx sign \(id)")
        #expect(try entry.text("message").contains("1 of 2 signed by this card"))
        let answer = try await workshop.tapkit("tx", "sign", "\(id)", "--yes", "--json").succeeded().json()
        #expect(try answer.field("signed") == 1)
        let after: [[String: Any]] = try await workshop.tapkit("status", "--json").succeeded().json().field(
            "unfinished")
        #expect(after.isEmpty)
    }

    /// What is in the way of a backup is found before the card counts one; where only the backup itself can tell, the way
    /// out names another file.
    @Test func anotherFileWithTheBackupsName() async throws {
        let blank = try await Workshop(isSetUp: false)
        // The length of a backup, too: a card that has made none has none there.
        for length in [200, 120] {
            try blank.folder.write(String(repeating: "x", count: length), to: "b.aes")
            try await blank.tapkit("setup", "--backup", "b.aes", "--keep-cvc", "--json")
                .expectFailure(73, "would_overwrite")
            #expect(try SimulatedCardRecord(path: blank.cardFile).masterKey == nil)
        }
        #expect(mkfifo(blank.folder.path("pipe"), 0o600) == 0)
        try await blank.tapkit("setup", "--backup", "pipe", "--keep-cvc", "--json").expectFailure(73, "cannot_write")
        #expect(try SimulatedCardRecord(path: blank.cardFile).masterKey == nil)

        let workshop = try await Workshop()
        try await workshop.tapkit("backup", "-o", "cvc", "--json").expectFailure(73, "would_overwrite")
        #expect(try SimulatedCardRecord(path: workshop.cardFile).backups == 1)
        try workshop.folder.write(String(repeating: "x", count: 200), to: "other.aes")
        try await workshop.tapkit("backup", "-o", "other.aes", "--json").expectFailure(73, "would_overwrite")
        let told: [[String: Any]] = try await workshop.tapkit("status", "--json").succeeded().json().field("unfinished")
        #expect(try told.first?.text("hint") == "tapkit backup -o \(workshop.folder.path("other-2.aes"))")
        try await workshop.tapkit("backup", "-o", workshop.folder.path("other-2.aes")).succeeded()
        let after: [[String: Any]] = try await workshop.tapkit("status", "--json").succeeded().json().field(
            "unfinished")
        #expect(after.isEmpty)
        #expect(try workshop.bytes("other-2.aes") == workshop.bytes("backup.aes"))
    }

    /// The card is shown whatever the store is like.
    @Test func aStoreThatCannotBeReadKeepsNobodyFromStatus() async throws {
        let workshop = try await Workshop()
        let data = workshop.storeFolder.path("data")
        #expect(chmod(data, 0o777) == 0)
        let open = try await workshop.tapkit("status", "--json").succeeded()
        #expect(try open.json().text("ident") == workshop.ident)
        #expect(try open.json().field("unfinished", as: [[String: Any]].self).isEmpty)
        #expect(open.errorText.contains(data), "\(open.errorText)")
        let problem = try #require(open.json().field("problems", as: [[String: Any]].self).first)
        #expect(try problem.text("code") == "store_unsafe" && problem.text("message").contains(data))
        #expect(try problem.text("hint").contains("--data-dir") && open.errorText.contains(problem.text("hint")))
        #expect(chmod(data, 0o700) == 0)
        for ending in ["", "-wal", "-shm"] {
            let file = data + "/store.sqlite" + ending
            guard FileManager.default.fileExists(atPath: file) else { continue }
            try Data(repeating: 0x5A, count: 8_192).write(to: URL(fileURLWithPath: file))
        }
        let damaged = try await workshop.tapkit("status", "--json").succeeded()
        #expect(try damaged.json().text("ident") == workshop.ident)
        #expect(!damaged.errorText.isEmpty)
    }

    /// Killed at some signature of many, the next run asks the card for the others only.
    @Test(arguments: ReaderKind.allCases, [["sign", "tx.psbt"], ["tx", "sign"]])
    func aKilledSigningGoesOnWhereItWas(_ kind: ReaderKind, _ verb: [String]) async throws {
        let workshop = try await Workshop()
        let id = try await workshop.writePSBT(inputs: 200).unsignedTransaction.id.description
        try await ServedCard.lay(workshop, on: kind, signMilliseconds: 15) { card in
            let signing = try card.start(["sign", "tx.psbt", "--yes", "--json", "--progress"])
            try await BlockingThread.run {
                let deadline = ContinuousClock.now + .seconds(100)
                while !signing.errorText.contains(#""done":77,"#) {
                    try #require(signing.isRunning && ContinuousClock.now < deadline, "\(signing.errorText)")
                    usleep(2_000)
                }
                kill(signing.identifier, SIGKILL)
            }
            #expect(try await signing.ending() == .signalled(SIGKILL))
            #expect(!FileManager.default.fileExists(atPath: workshop.folder.path("tx.signed.psbt")))
            let stored = try await workshop.tapkit("tx", "show", id, "--json").succeeded().json()
            let missing: Int = try stored.field("missing")
            #expect((1...123).contains(missing))
            let rest = try await workshop.tapkit(
                verb + (verb == ["tx", "sign"] ? [id] : []) + ["--yes", "--json", "--trace", "--wait=60"],
                environment: card.reader
            ).succeeded()
            // One may have been given, and not stored, when the end came.
            #expect(rest.heard.count { $0 == "sign" } == missing)
            #expect(try rest.json().field("signed") == missing)
            #expect(try await rest.json().expectComplete(inputs: 200) == id)
        }
    }
}

import Bitcoin
import Foundation
import TestSupport
import Testing

/// `tapkit backup verify`, and `tapkit backup` beside it.
@Suite struct BackupVerifyTests {
    private static let check = ["backup", "verify", "backup.aes", "--key-file", "key"]

    private func card(_ answer: [String: Any]) throws -> [String: Any] { try answer.field("card") }

    @Test func theCardsOwnBackup() async throws {
        let workshop = try await Workshop()
        try workshop.writeBackupKey()
        let answer = try await workshop.tapkit(Self.check + ["--json"]).succeeded().json()
        let status = try await workshop.tapkit("xpub", "--json").json()
        answer.expectKeys("valid fingerprint path network xpub card")
        #expect(try answer.field("valid", as: Bool.self))
        for key in ["fingerprint", "path", "xpub"] { #expect(try answer.text(key) == status.text(key)) }
        #expect(try answer.text("network") == "test")
        try card(answer).expectKeys("checked ident matches path simulated")
        #expect(try card(answer).field("checked", as: Bool.self) && card(answer).field("matches", as: Bool.self))
        #expect(try card(answer).text("ident") == workshop.ident)

        let words = try await workshop.tapkit(Self.check).succeeded()
        #expect(words.text.contains("SIMULATED card \(workshop.ident)"))
        #expect(try words.text.contains(answer.text("xpub")))
        #expect(!words.errorText.contains("stands at"))
        // What the card was before, it still is.
        #expect(try await workshop.tapkit("status", "--json").json().field("backups", as: Int.self) == 1)

        let other = try await workshop.tapkit(Self.check + ["--network", "signet", "--json"]).succeeded().json()
        #expect(try other.text("network") == "signet")
        try await workshop.tapkit(Self.check + ["--network", "main", "--json", "--no-card"])
            .expectFailure(65, "wrong_network")
    }

    /// Whoever has several files must know which one is damaged.
    @Test func aDamagedFileIsNamed() async throws {
        let workshop = try await Workshop()
        try workshop.writeBackupKey()
        try workshop.folder.write("short", to: "broken.aes")
        let broken = ["broken.aes", "--key-file", "key"]
        try await workshop.writePSBT()
        for verb in [
            ["backup", "verify"] + broken, ["backup", "show", "--yes"] + broken,
            ["recover", "sign", "tx.psbt", "--yes", "--backup"] + broken,
        ] {
            let run = try await workshop.tapkit(verb)
            #expect(
                run.status == 65 && run.errorText.contains("broken.aes: The file is not a backup"), "\(run.errorText)")
        }
        try workshop.folder.write("{}", to: "broken.json")
        let card = try await workshop.tapkit("status", "--reader", "sim:" + workshop.folder.path("broken.json"))
        #expect(card.status == 65 && card.errorText.contains("broken.json: "), "\(card.errorText)")
    }

    @Test func throughPCSC() async throws {
        let workshop = try await Workshop()
        try workshop.writeBackupKey()
        try await ServedCard.lay(workshop) { served in
            let answer = try await workshop.tapkit(Self.check + ["--json"], environment: served.reader)
                .succeeded().json()
            #expect(try card(answer).text("ident") == workshop.ident)
            try served.pull()
            // pcscd looks for a card every 400 ms.
            try await Task.sleep(for: .milliseconds(800))
            // Whoever names a reader wants the card on it.
            try await workshop.tapkit(Self.check + ["--json"], environment: served.reader).expectFailure(75, "no_card")
            let alone = try await workshop.tapkit(Self.check + ["--json", "--no-card"], environment: served.reader)
            #expect(try !card(alone.succeeded().json()).field("checked", as: Bool.self))
        }
    }

    /// The card's path now is another one than when the backup was made.
    @Test func aPathThatWasChangedSinceIsSaid() async throws {
        let workshop = try await Workshop()
        try workshop.writeBackupKey()
        try await workshop.tapkit("derive", "m/48h/1h/7h").succeeded()
        let run = try await workshop.tapkit(Self.check + ["--json"]).succeeded()
        #expect(try run.json().text("path") == "m/84h/1h/0h")
        #expect(try card(run.json()).text("path") == "m/48h/1h/7h")
        #expect(run.errorText.contains("now at path m/48h/1h/7h; the backup's path is m/84h/1h/0h"))
    }

    /// Numbers above 32768 stand in a backup as eight hexadecimal digits.
    @Test func aPathInHexadecimal() async throws {
        let workshop = try await Workshop()
        try workshop.writeBackupKey()
        let derived = try await workshop.tapkit("derive", "m/12345h/123456h/2147483647h", "--json").succeeded().json()
        try await workshop.tapkit("backup", "-o", "hex.aes").succeeded()
        let answer = try await workshop.tapkit("backup", "verify", "hex.aes", "--key-file", "key", "--json")
            .succeeded().json()
        #expect(try answer.text("path") == "m/12345h/123456h/2147483647h")
        #expect(try answer.text("xpub") == derived.text("xpub"))
    }

    /// Nobody asked for a card, and there is none: the file alone.
    @Test func withoutAReaderOnlyTheFileIsChecked() async throws {
        let workshop = try await Workshop()
        try workshop.writeBackupKey()
        let run = try await workshop.tapkit(Self.check + ["--json"], environment: Workshop.offline)
        let answer = try run.succeeded().json()
        #expect(try answer.field("valid", as: Bool.self))
        try card(answer).expectKeys("checked")
        #expect(run.errorText.contains("Only the file was checked"))
        for option in [["--reader", "pcsc"], ["--card", "AAAAA"], ["--wait=0"]] {
            let asked = try await workshop.tapkit(
                Self.check + ["--json"] + option, environment: Workshop.offline)
            #expect([69, 75].contains(asked.status), "\(option): \(asked.text)")
        }
    }

    /// Only the comparison with a card needs the store: whatever became of it, the file alone can be checked.
    @Test func theFileAloneNeedsNoStore() async throws {
        let workshop = try await Workshop()
        try workshop.writeBackupKey()
        let data = workshop.storeFolder.path("data")
        #expect(chmod(data, 0o777) == 0)
        for (options, environment) in [(["--no-card"], [:]), ([], Workshop.offline)] as [([String], [String: String?])]
        {
            let alone = try await workshop.tapkit(Self.check + ["--json"] + options, environment: environment)
            #expect(try !card(alone.succeeded().json()).field("checked", as: Bool.self))
        }
        let beside = try await workshop.tapkit(Self.check + ["--json"])
        try beside.expectFailure(78, "store_unsafe")
        #expect(try beside.hint().contains("--no-card"))
        #expect(chmod(data, 0o700) == 0)
        try await workshop.tapkit(Self.check + ["--json"]).succeeded()
    }

    /// A reader without a card is no failure either, when nobody asked for one.
    @Test func anEmptyReaderIsNoFailure() async throws {
        let workshop = try await Workshop()
        try workshop.writeBackupKey()
        let sandbox = try await PCSCSandbox(card: workshop.cardFile, serving: ["--pull-at", "12:after"])
        let environment = workshop.environment.merging(["TAPKIT_READER": nil]) { $1 }
        func tapkit(_ arguments: [String]) async throws -> Subprocess {
            try await sandbox.run(Subprocess.tapkit, arguments + ["--json"], environment: environment)
        }
        var status = try await tapkit(["status"])
        for _ in 0..<12 where status.status != 75 { status = try await tapkit(["status"]) }
        status = try await tapkit(["status"])
        try status.expectFailure(75, "no_card")
        // Programs in the sandbox do not start in this folder.
        let (file, key) = (workshop.folder.path("backup.aes"), workshop.folder.path("key"))
        let answer = try await tapkit(["backup", "verify", file, "--key-file", key]).succeeded().json()
        #expect(try !card(answer).field("checked", as: Bool.self))
    }

    /// A card is there and its CVC is not: half a check would be taken for a whole one.
    @Test func aCardWithoutItsCVCIsNoHalfCheck() async throws {
        let workshop = try await Workshop()
        try workshop.writeBackupKey()
        let run = try await workshop.tapkit(Self.check + ["--json"], environment: ["TAPKIT_CVC_FILE": nil])
        try run.expectFailure(77, "cvc_needed")
        #expect(try run.hint().contains("--cvc-file") && run.hint().contains("--no-card"))
        try workshop.folder.write("000000", to: "wrong")
        let wrong = try await workshop.tapkit(Self.check + ["--cvc-file", "wrong", "--json"])
        try wrong.expectFailure(77, "wrong_cvc")
        #expect(try wrong.hint().contains("2 more wrong tries"))
        try await workshop.tapkit(Self.check + ["--json"], environment: ["TAPKIT_ROOT_KEY": nil])
            .expectFailure(76, "not_genuine")
    }

    @Test func anotherCardsBackup() async throws {
        let (workshop, other) = (try await Workshop(), try await Workshop())
        try workshop.writeBackupKey()
        let run = try await workshop.tapkit(
            Self.check + ["--json"],
            environment: [
                "TAPKIT_READER": other.environment["TAPKIT_READER"] ?? nil,
                "TAPKIT_DATA_DIR": workshop.folder.path("nothing-known"),
            ])
        let document = try run.expectFailure(65, "other_cards_backup")
        #expect(try !document.field("valid", as: Bool.self))
        let (own, theirs) = (try await workshop.wallet().fingerprint, try await other.wallet().fingerprint)
        let error: [String: Any] = try document.field("error")
        #expect(try error.text("message").contains("\(own)") && error.text("message").contains("\(theirs)"))
        #expect(run.errorText.contains("SIMULATED"))
    }

    /// Where the store knows whose the backup's key is, or the card's, no try is spent on the wrong card.
    @Test func anotherCardsBackupIsRefusedBeforeTheCVC() async throws {
        let (workshop, other) = (try await Workshop(), try await Workshop())
        try workshop.writeBackupKey()
        let reader = ["TAPKIT_READER": other.environment["TAPKIT_READER"] ?? nil]
        try workshop.folder.write("000000", to: "wrong")
        for store in [nil, other.environment["TAPKIT_DATA_DIR"] ?? nil] {
            let environment = store.map { reader.merging(["TAPKIT_DATA_DIR": $0]) { $1 } } ?? reader
            let run = try await workshop.tapkit(
                Self.check + ["--cvc-file", "wrong", "--json"], environment: environment)
            let document = try run.expectFailure(65, "other_cards_backup")
            #expect(try !document.field("valid", as: Bool.self))
        }
        let shown = try await other.tapkit("sim", "show", other.cardFile, "--json").succeeded().json()
        #expect(try shown.field("wrong_attempts", as: Int.self) == 0)
    }

    /// Same key, other chain code: the card lied when the key was made.
    @Test func aChainCodeThatIsNotTheCardsIsAFailedProof() async throws {
        let workshop = try await Workshop()
        try workshop.writeBackupKey()
        let master = try await workshop.wallet().master
        let bent = ExtendedPrivateKey(
            master: master.privateKey, chainCode: ChainCode(repeating: 7), network: .test)
        try workshop.writeBackup("\(bent.text)\nm/84h/1h/0h\n", to: "bent.aes")
        let run = try await workshop.tapkit("backup", "verify", "bent.aes", "--key-file", "key", "--json")
        try run.expectFailure(76, "bad_proof")
    }

    /// Neither has made a backup, and a card of this kind never does.
    @Test func cardsWithoutABackupSaySo() async throws {
        let workshop = try await Workshop()
        try workshop.writeBackupKey()
        for product in ["satschip", "satscard"] {
            let file = workshop.folder.path("\(product).json")
            try await workshop.tapkit("sim", "new", file, "--product", product).succeeded()
            let run = try await workshop.tapkit(Self.check + ["--json", "--reader", "sim:\(file)"])
            let document = try run.expectFailure(65, "not_supported")
            let error: [String: Any] = try document.field("error")
            #expect(try error.text("message").contains("cannot have made this backup"))
            #expect(try run.hint().contains("--no-card"))
            try await workshop.tapkit(Self.check + ["--no-card", "--reader", "sim:\(file)"]).succeeded()
        }
    }

    @Test func filesThatAreNone() async throws {
        let workshop = try await Workshop()
        let key = try workshop.writeBackupKey()
        let whole = try workshop.bytes("backup.aes")
        func verify(_ bytes: [UInt8], key: String = "key") async throws -> Subprocess {
            try Data(bytes).write(to: workshop.folder.url.appendingPathComponent("bad.aes"))
            return try await workshop.tapkit(
                "backup", "verify", "bad.aes", "--key-file", key, "--json", environment: Workshop.offline)
        }
        try await verify(whole).succeeded()
        for count in [0, 1, 112, 115, whole.count - 1] {
            let document = try await verify(Array(whole.prefix(count))).expectFailure(65, "bad_backup")
            #expect(try !document.field("valid", as: Bool.self), "\(count)")
        }
        for position in [0, 60, 110, 111, 112, 115] {
            var damaged = whole
            damaged[position] ^= 0x80
            try await verify(damaged).expectFailure(65, "bad_backup")
        }
        try await verify([UInt8](repeating: 0, count: 65_536)).expectFailure(65, "input_too_large")
        let letter = String(repeating: "This is a letter. It has nothing to do with any backup. ", count: 3)
        try await verify(Array(letter.utf8)).expectFailure(65, "wrong_backup_key")

        try workshop.folder.write(String(repeating: "0", count: 32), to: "wrong")
        let wrong = try await verify(whole, key: "wrong")
        #expect(try !wrong.expectFailure(65, "wrong_backup_key").field("valid", as: Bool.self))
        for text in ["", "0123", key + "00", "0x" + key, String(key.dropLast()) + "x"] {
            try workshop.folder.write(text + "\n", to: "none")
            try await verify(whole, key: "none").expectFailure(65, "bad_backup_key")
        }
        try await verify(whole, key: "nowhere").expectFailure(66, "no_input_file")
        try await workshop.tapkit("backup", "verify", "nowhere", "--key-file", "key", "--json")
            .expectFailure(66, "no_input_file")
        for path in ["m/84", "m/84h/0", "", "x", "m/1h/2h/3h/4h/5h/6h/7h/8h/9h", "m/0x80000000h"] {
            let master = try await workshop.wallet().master
            try workshop.writeBackup("\(master.text)\n\(path)\n", to: "bad.aes")
            try await workshop.tapkit("backup", "verify", "bad.aes", "--key-file", "key", "--json")
                .expectFailure(65, "bad_backup")
        }
    }

    /// As people type it, from a file or from standard input, its first line only.
    @Test func howTheKeyIsGiven() async throws {
        let workshop = try await Workshop()
        let key = try workshop.writeBackupKey()
        let groups = stride(from: 0, to: 32, by: 4).map { key.dropFirst($0).prefix(4) }
        let texts = [
            key.uppercased(), groups.joined(separator: " "), groups.joined(separator: "-") + "\r", key + "\nmore",
        ]
        for text in texts {
            try workshop.folder.write(text + "\n", to: "key")
            try await workshop.tapkit(Self.check + ["--no-card"]).succeeded()
            let input = Data((text + "\n").utf8)
            try await workshop.tapkit(
                "backup", "verify", "backup.aes", "--key-file", "-", "--no-card", input: input
            ).succeeded()
        }
        let backup = Data(try workshop.bytes("backup.aes"))
        try await workshop.tapkit("backup", "verify", "-", "--key-file", "key", "--no-card", input: backup).succeeded()
        let nobody = try await workshop.tapkit("backup", "verify", "backup.aes", "--json")
        try nobody.expectFailure(77, "key_needed")
        #expect(try nobody.hint().contains("--key-file"))
        for arguments in [
            ["backup", "verify", "-", "--key-file", "-"], ["backup", "show", "-", "--key-file", "-", "--yes"],
            ["backup", "verify", "backup.aes", "--key-file", "-", "--cvc-file", "-"],
            ["recover", "sign", "-", "--backup", "backup.aes", "--key-file", "-"],
            ["recover", "sign", "-", "--backup", "-", "--key-file", "key"],
            ["recover", "sign", "x", "--backup", "-", "--key-file", "-"], ["backup", "verify"],
            ["backup", "verify", "backup.aes", "--key", key], ["recover", "sign", "x"], ["backup", "nothing"],
        ] {
            let run = try await workshop.tapkit(arguments + ["--json"], input: backup)
            try run.expectFailure(64, "usage")
        }
    }

    /// What `tapkit backup` did before it had subcommands, it does.
    @Test func savingIsAsItWas() async throws {
        let workshop = try await Workshop()
        for (arguments, file) in [
            (["backup", "-o", "a.aes"], "a.aes"), (["backup", "--output", "b.aes"], "b.aes"),
            (["backup"], "\(workshop.ident).aes"), (["backup", "save", "-o", "c.aes"], "c.aes"),
        ] {
            let answer = try await workshop.tapkit(arguments + ["--json"]).succeeded().json()
            answer.expectKeys("file backups")
            #expect(try answer.text("file") == file)
            #expect(try workshop.bytes(file) == workshop.bytes("backup.aes"))
        }
        let before = try await workshop.tapkit("--json", "--reader", "sim:card.json", "backup", "-o", "d.aes")
        #expect(try before.succeeded().json().text("file") == "d.aes")
        let help = try await workshop.tapkit("backup", "--help").succeeded().text
        for part in ["--output", "IDENT.aes", "verify", "show"] { #expect(help.contains(part)) }
    }
}

import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// `tapkit wallet kit` and `tapkit wallet rehearse`: heirs have a folder, the backups and the keys on the cards' backs.
@Suite(.fewAtATime) struct LossDrillTests {
    let first: Workshop
    let second: Workshop
    private let descriptor: String

    init() async throws {
        first = try await Workshop()
        second = try await Workshop()
        let holders = [try await first.wallet(), try await second.wallet(), try SampleWallet(seed: 77)]
        descriptor = try #require(
            SamplePolicy("thresh(2,pk(#A),s:pk(#B),s:pk(#C),sln:older(10))", holders).descriptor().text)
        for workshop in [first, second] { try workshop.writeBackupKey() }
    }

    func run(_ arguments: String..., environment: [String: String?] = [:]) async throws -> Subprocess {
        try await first.tapkit(
            arguments + ["--json"], environment: ["TAPKIT_NETWORK": "regtest"].merging(environment) { $1 })
    }

    /// The options that name some backups.
    private func backups(_ workshops: [Workshop]) -> [String] {
        workshops.flatMap { ["--backup", $0.folder.path("backup.aes"), "--key-file", $0.folder.path("key")] }
    }

    private func rehearse(
        _ arguments: String..., with workshops: [Workshop], environment: [String: String?] = [:]
    ) async throws -> Subprocess {
        try await first.tapkit(
            ["wallet", "rehearse", "--kit", "kit", "--json"] + arguments + backups(workshops),
            environment: ["TAPKIT_NETWORK": "regtest"].merging(environment) { $1 })
    }

    /// What people are told, on one line.
    private func told(_ arguments: String..., with workshops: [Workshop]) async throws -> String {
        let run = try await first.tapkit(
            ["wallet", "rehearse", "--kit", "kit"] + arguments + backups(workshops),
            environment: ["TAPKIT_NETWORK": "regtest"]
        ).succeeded()
        return (run.text + " " + run.errorText).replacing(/\s+/, with: " ")
    }

    func add() async throws { try await run("wallet", "add", "family", descriptor).succeeded() }

    func text(_ name: String) throws -> String {
        String(decoding: try first.bytes("kit/\(name)"), as: UTF8.self)
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: first.folder.url.appendingPathComponent("kit/\(name)"))
    }

    @Test func theOwnerRehearses() async throws {
        try await add()
        let before = try await run("status").succeeded().json()
        #expect(before["drills_due"] == nil)
        let kit = try await run("wallet", "kit", "family", "-o", "kit").succeeded().json()
        kit.expectKeys("name folder files written written_at")
        #expect(
            try kit.field("files", as: [String].self)
                == ["descriptors.txt", "core.json", "read-me.txt", "page.svg", "wallet.json"])
        try await run("wallet", "kit", "family", "-o", "kit").expectFailure(73, "would_overwrite")
        try await run("wallet", "kit", "family", "-o", "kit", "--force").succeeded()
        try expectNoSecret()

        let due = try await run("status").succeeded().json().field("drills_due", as: [[String: Any]].self)
        #expect(due.map { $0["wallet"] as? String } == ["family"] && due[0]["last"] == nil)
        let proven = try await rehearse("family", with: [first, second]).succeeded().json()
        proven.expectKeys("wallet network paths proven_at kit_written_at addresses remembered")
        let paths = try proven.field("paths", as: [[String: Any]].self)
        #expect(paths.map { $0["spendable"] as? Bool } == [true, true])
        #expect(paths.map { ($0["keys"] as? [String])?.count } == [2, 2])
        #expect(paths.map { ($0["missing"] as? [String])?.count } == [1, 1])
        #expect(try proven.field("remembered") == true)
        let now = try await run("status").succeeded().json()
        #expect(now["drills_due"] == nil)
        let shown = try await run("wallet", "show", "family", "--offline").succeeded().json()
        let proofs = try shown.field("drill", as: [String: Any].self).field("rehearsals", as: [[String: Any]].self)
        #expect(proofs.map { $0["path"] as? Int } == [1, 2])

        // More than a year later.
        let store = first.storeFolder.path("data/store.sqlite")
        let script = """
            import sqlite3, sys
            store = sqlite3.connect(sys.argv[1])
            store.execute("UPDATE wallet_rehearsal SET proven = proven - 366 * 86400 WHERE path = 2")
            store.commit()
            """
        try await Subprocess.run("/usr/bin/python3", ["-c", script, store]).succeeded()
        let later = try await first.tapkit("status", environment: ["TAPKIT_NETWORK": "regtest"]).succeeded()
        #expect(later.text.contains("“family” was last rehearsed on"))
        #expect(later.text.contains("tapkit wallet rehearse family --kit FOLDER --backup FILE"))
        for verb in [["list"], ["show", "family", "--offline"]] {
            let told = try await first.tapkit(["wallet"] + verb, environment: ["TAPKIT_NETWORK": "regtest"]).succeeded()
            #expect(told.text.contains("Rehearsal due: “family” was last rehearsed on"))
        }
    }

    /// The owner's label of a key that is on no card stands in the kit, and where it is rehearsed.
    @Test func labelsOfKeysAreInTheKit() async throws {
        try await add()
        let key = try SampleWallet(seed: 77).extendedKey(DerivationPath(parsing: "m/48h/1h/0h/2h"))
        let line = #"{"type":"xpub","ref":"\#(key.text)","label":"Cleo"}"#
        try Data(line.utf8).write(to: first.folder.url.appendingPathComponent("labels.jsonl"))
        let imported = try await run("wallet", "labels", "import", "family", "labels.jsonl").succeeded().json()
        let name = try SampleWallet(seed: 77).fingerprint
        #expect(try imported.field("keys", as: [[String: String]].self) == [["key": "\(name)", "label": "Cleo"]])
        try await run("wallet", "kit", "family", "-o", "kit").succeeded()
        let readMe = try text("read-me.txt").replacing(/\s+/, with: " ")
        #expect(readMe.contains("\(name) labelled “Cleo”, 10 blocks (about 2 hours) after"))
        #expect(readMe.contains("\(name) at m/48h/1h/0h/2h: labelled “Cleo”; no card that the writer knew"))
        // Only for people: programs compare the rest with the descriptors.
        #expect(try !text("wallet.json").contains("Cleo"))
        let told = try await told("family", with: [first, second])
        #expect(told.contains("\(name) labelled “Cleo”"))
    }

    /// Nothing in the folder opens anything.
    private func expectNoSecret() throws {
        let key = try #require(first.backupKey)
        for name in ["descriptors.txt", "core.json", "read-me.txt", "page.svg", "wallet.json"] {
            let text = try text(name)
            #expect(!text.contains("prv") && !text.lowercased().contains(key) && !text.contains(Workshop.printedCVC))
            let attributes = try FileManager.default.attributesOfItem(atPath: first.folder.path("kit/\(name)"))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        #expect(try text("read-me.txt").contains(first.ident) && text("page.svg").contains("Descriptor 1 of 1"))
    }

    /// A camera reads the descriptor from the printed page, whatever the wallet is called.
    @Test func thePageIsRead() async throws {
        let name = "<b>&\"family\""
        try await run("wallet", "add", name, descriptor).succeeded()
        try await run("wallet", "kit", name, "-o", "kit").succeeded()
        let page = try text("page.svg")
        let script = """
            import sys, xml.etree.ElementTree as tree
            root = tree.parse(sys.argv[1]).getroot()
            print(next(part.text for part in root if part.tag.endswith("}text")))
            """
        let title = try await Subprocess.run(
            "/usr/bin/python3", ["-c", script, first.folder.path("kit/page.svg")]
        ).succeeded()
        #expect(title.text == "The wallet “\(name)”\n")
        #expect(try await codes(on: page) == [descriptor])
    }

    /// A wallet of many keys takes several codes, which programs put together.
    @Test func aLargeWalletsPageIsRead() async throws {
        let holders = try (0..<15).map { try SampleWallet(seed: UInt8(20 + $0)) }
        let keys = "ABCDEFGHIJKLMNO".map { "#\($0)" }.joined(separator: ",")
        let large = try #require(
            SamplePolicy("or_d(multi(3,\(keys)),and_v(v:pkh(#a),older(10)))", holders).descriptor().text)
        try await run("wallet", "add", "large", large).succeeded()
        try await run("wallet", "kit", "large", "-o", "kit").succeeded()
        let texts = try await codes(on: try text("page.svg"))
        #expect(texts.count > 1)
        let joined = try await PythonEnvironment.shared().run("join_qr.py", ["texts": texts])
        #expect(try joined.text("kind") == "bbqr" && Hex.decode(joined.text("hex")) == Array(large.utf8))
    }

    /// What a camera reads on a page, in order.
    private func codes(on page: String) async throws -> [String] {
        var texts: [String] = []
        for match in page.matches(of: /(?s)<svg x="\d+" y="\d+" .*?<\/svg>/) {
            // As the reader of codes expects an image of one.
            let image = match.output.replacingOccurrences(
                of: "<svg ", with: "<svg xmlns=\"http://www.w3.org/2000/svg\" ")
            let answer = try await PythonEnvironment.shared().run("read_qr.py", ["svg": image])
            texts += try answer.field("codes", as: [[String: String]].self).compactMap { $0["text"] }
        }
        return texts
    }

    /// Without a store, and with fewer backups.
    @Test func heirsRehearse() async throws {
        try await add()
        try await run("wallet", "kit", "family", "-o", "kit").succeeded()
        let heirs: [String: String?] = [
            "TAPKIT_DATA_DIR": first.folder.path("none"), "TAPKIT_READER": nil, "TAPKIT_CVC_FILE": nil,
        ]
        let alone = try await rehearse(with: [second], environment: heirs).succeeded().json()
        let paths = try alone.field("paths", as: [[String: Any]].self)
        #expect(paths.map { $0["spendable"] as? Bool } == [false, true])
        #expect(paths.map { ($0["missing"] as? [String])?.count } == [2, 2])
        #expect(try alone.field("remembered") == false)
        #expect(!FileManager.default.fileExists(atPath: first.folder.path("none")))
        // What stands in the kit is what programs take.
        let added = try await first.tapkit(
            ["wallet", "add", "family", "-", "--json"], input: Data(try first.bytes("kit/descriptors.txt")),
            environment: heirs.merging(["TAPKIT_NETWORK": "regtest"]) { $1 }
        ).succeeded().json()
        #expect(try added.field("descriptors", as: [String].self) == [descriptor])
        let node = try await BitcoinNode.shared()
        let name = "kit-\(UUID().uuidString)"
        try await node.makeWallet(name)
        let requests = try JSONSerialization.jsonObject(with: Data(try first.bytes("kit/core.json")))
        let answers = try await node.call("importdescriptors", requests, wallet: name, as: [[String: Any]].self)
        #expect(answers.count == 2 && answers.allSatisfy { $0["success"] as? Bool == true }, "\(answers)")
    }

    @Test func whatIsWrongIsSaid() async throws {
        try await add()
        try await run("wallet", "kit", "family", "-o", "kit").succeeded()
        let wrong = try await run(
            "wallet", "rehearse", "family", "--kit", "kit", "--backup", "backup.aes", "--key-file",
            second.folder.path("key"))
        let error: [String: Any] = try wrong.expectFailure(65, "wrong_backup_key").field("error")
        #expect(try error.text("message").contains("backup.aes"))
        let stranger = try await Workshop()
        try stranger.writeBackupKey()
        try await rehearse("family", with: [first, stranger]).expectFailure(65, "other_cards_backup")
        try await run("wallet", "rehearse", "family", "--kit", "kit", "--backup", "backup.aes")
            .expectFailure(77, "key_needed")
        try await run(
            "wallet", "rehearse", "family", "--kit", "kit", "--backup", "backup.aes", "--backup", "backup.aes",
            "--key-file", "key"
        ).expectFailure(64, "usage")
        try await rehearse("nobody", with: [first]).expectFailure(65, "no_such_wallet")
        let unnamed = try await run("wallet", "rehearse")
        try unnamed.expectFailure(64, "usage")
        #expect(try unnamed.hint().contains("--kit FOLDER"))
        let bare = try await run("wallet", "rehearse", "--kit", "kit")
        try bare.expectFailure(64, "usage")
        #expect(try bare.hint().contains("--backup FILE"))
        try await run("wallet", "rehearse", "--kit", "none", "--backup", "backup.aes", "--key-file", "key")
            .expectFailure(66, "no_input_file")
        // One of two keys is not enough.
        try await run("wallet", "remove", "family", "--yes").succeeded()
        let holders = [try await first.wallet(), try await second.wallet()]
        let text = try #require(SamplePolicy("multi(2,#A,#B)", holders).descriptor().text)
        try await run("wallet", "add", "family", text).succeeded()
        try await rehearse("family", with: [first]).expectFailure(76, "altered_kit")
        try await run("wallet", "kit", "family", "-o", "kit", "--force").succeeded()
        let nothing = try await rehearse("family", with: [first]).expectFailure(65, "not_complete")
        let paths = try nothing.field("paths", as: [[String: Any]].self)
        #expect(paths.map { $0["spendable"] as? Bool } == [false])
    }

    /// With the name alone, the wallet is rehearsed as it is stored, with the stored backups.
    @Test func theNameIsEnough() async throws {
        try await add()
        let asked = try await run("wallet", "rehearse", "family")
        try asked.expectFailure(77, "key_needed")
        #expect(asked.errorText.contains("Stored backup of TAPSIGNER"))
        let proven = try await run("wallet", "rehearse", "family", "--key-file", "key").succeeded().json()
        proven.expectKeys("wallet network paths proven_at addresses remembered")
        let paths = try proven.field("paths", as: [[String: Any]].self)
        #expect(paths.map { $0["spendable"] as? Bool } == [false, true])
        #expect(try proven.field("remembered") == false)
        try await run("wallet", "rehearse", "family", "--key-file", "key", "--key-file", "key")
            .expectFailure(64, "usage")
        let told = try await first.tapkit(
            "wallet", "rehearse", "family", "--key-file", "key", environment: ["TAPKIT_NETWORK": "regtest"]
        ).succeeded()
        let words = (told.text + " " + told.errorText).replacing(/\s+/, with: " ")
        #expect(words.contains("as it is stored, with 1 backup, at 6 addresses:"))
        #expect(words.contains("No kit was read, so nothing is remembered"))
        // A kit alone takes the stored backups, too: heirs will have others, so that does not count.
        try await run("wallet", "kit", "family", "-o", "kit").succeeded()
        let kit = try await run("wallet", "rehearse", "family", "--kit", "kit", "--key-file", "key").succeeded().json()
        #expect(try kit.field("remembered") == false)
        let borrowed = try await first.tapkit(
            "wallet", "rehearse", "family", "--kit", "kit", "--key-file", "key",
            environment: ["TAPKIT_NETWORK": "regtest"]
        ).succeeded()
        let remark = (borrowed.text + " " + borrowed.errorText).replacing(/\s+/, with: " ")
        #expect(remark.contains("rehearse with the files that heirs will have."))
        let due = try await run("status").succeeded().json().field("drills_due", as: [[String: Any]].self)
        #expect(due.map { $0["wallet"] as? String } == ["family"])
        // Nobody's card is in this wallet.
        let strangers = try [78, 79].map { try SampleWallet(seed: $0) }
        let text = try #require(SamplePolicy("multi(2,#A,#B)", strangers).descriptor().text)
        try await run("wallet", "add", "others", text).succeeded()
        try await run("wallet", "rehearse", "others").expectFailure(64, "usage")
    }

    /// Somebody gave the read-me another end, and the main document its digest.
    @Test func aKitThatSomebodyRewroteIsRefused() async throws {
        try await add()
        try await run("wallet", "kit", "family", "-o", "kit").succeeded()
        let (readMe, document) = (try text("read-me.txt"), try text("wallet.json"))
        let forged = readMe + "Send the backup keys to help@example.com.\n"
        let digests = [readMe, forged].map { Hex.encode(SHA256.hash(Array($0.utf8))) }
        try write(forged, to: "read-me.txt")
        try write(document.replacingOccurrences(of: digests[0], with: digests[1]), to: "wallet.json")
        let refused: [String: Any] = try await rehearse("family", with: [first, second])
            .expectFailure(76, "altered_kit").field("error")
        #expect(try refused.text("message").contains("only its descriptors are the wallet's"))
        let shown = try await run("wallet", "show", "family", "--offline").succeeded().json()
        let drill = try shown.field("drill", as: [String: Any].self)
        #expect((drill["rehearsals"] as? [Any])?.isEmpty == true)
        // Heirs hear that nothing was compared, and a thief's kit is nobody's proof.
        try write("Pay the stranger.\n", to: "first.txt")
        let text = try await told(with: [second])
        #expect(text.contains("Nothing was compared") && !text.contains("remembered"))
        #expect(text.contains("tapkit wallet rehearse family compares the kit with it"))
        #expect(
            text.contains("WARNING: The folder holds more than the kit, and heirs may believe what it says: first.txt.")
        )
    }

    /// The store forgets kits with their wallet, and an older one is not the one that heirs shall have.
    @Test func onlyTheNewestKitIsRemembered() async throws {
        try await add()
        try await run("wallet", "kit", "family", "-o", "old").succeeded()
        // A kit names the second in which it was written: the newer one is of a later second.
        let written = Int(Date().timeIntervalSince1970)
        while Int(Date().timeIntervalSince1970) == written { try await Task.sleep(for: .milliseconds(10)) }
        try await run("wallet", "kit", "family", "-o", "kit").succeeded()
        func rehearse(_ kit: String) async throws -> Subprocess {
            try await run(
                "wallet", "rehearse", "family", "--kit", kit, "--backup", "backup.aes", "--backup",
                second.folder.path("backup.aes"), "--key-file", "key", "--key-file", second.folder.path("key"))
        }
        let older = try await rehearse("old").succeeded().json()
        older.expectKeys("wallet network paths proven_at kit_written_at newer_kit_at addresses remembered")
        #expect(try older.field("remembered") == false)
        let newest = try await rehearse("kit").succeeded().json()
        #expect(try newest.field("remembered") == true && newest["newer_kit_at"] == nil)
        try await run("wallet", "remove", "family", "--yes").succeeded()
        try await add()
        try await rehearse("kit").expectFailure(76, "altered_kit")
        try await run("wallet", "kit", "family", "-o", "kit", "--force").succeeded()
        try await rehearse("kit").succeeded()
    }

    /// Every command of the read-me is a line of its own, which can be copied; the first one works as it is.
    @Test func theReadMeCanBeFollowed() async throws {
        try await add()
        let written = try await first.tapkit(
            ["wallet", "kit", "family", "-o", "kit"], environment: ["TAPKIT_NETWORK": "regtest"]
        ).succeeded()
        let told = written.text + written.errorText
        #expect(told.contains("never synchronized"))
        let lines = try text("read-me.txt").split(separator: "\n").map(String.init)
        let commands = lines.filter { $0.contains("tapkit ") && $0.hasPrefix("       ") }.map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let verbs = commands.map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
        #expect(
            verbs == [
                "tapkit wallet add", "tapkit config set", "tapkit wallet sync", "tapkit tx create", "tapkit tx sign",
                "tapkit recover sign", "tapkit tx broadcast", "tapkit wallet rehearse",
            ])
        #expect(commands.first == "tapkit wallet add family - --network regtest < descriptors.txt")
    }

    /// Times that no clock has must not keep anybody from seeing a card.
    @Test func aDamagedStoreIsShown() async throws {
        try await add()
        try await run("wallet", "kit", "family", "-o", "kit").succeeded()
        try await rehearse("family", with: [first, second]).succeeded()
        let store = first.storeFolder.path("data/store.sqlite")
        for time in ["-9223372036854775808", "9223372036854775807"] {
            let script = """
                import sqlite3, sys
                store = sqlite3.connect(sys.argv[1])
                store.execute("UPDATE wallet_rehearsal SET proven = \(time) WHERE path = 2")
                store.commit()
                """
            try await Subprocess.run("/usr/bin/python3", ["-c", script, store]).succeeded()
            let due = try await run("status").succeeded().json().field("drills_due", as: [[String: Any]].self)
            #expect(due.map { $0["wallet"] as? String } == ["family"])
        }
    }

    @Test func aKitOfSomebodyElseIsRefused() async throws {
        try await add()
        try await run("wallet", "kit", "family", "-o", "kit").succeeded()
        let page = try text("page.svg")
        try write(page + " ", to: "page.svg")
        let altered: [String: Any] = try await rehearse("family", with: [first]).expectFailure(76, "altered_kit")
            .field("error")
        #expect(try altered.text("message").contains("page.svg"))
        try write(page, to: "page.svg")
        try await rehearse("family", with: [first]).succeeded()
        let document = try text("wallet.json")
        try write(document.replacingOccurrences(of: "\"family\"", with: "\"a\\u001b[31mb\""), to: "wallet.json")
        let named = try await rehearse(with: [first])
        try named.expectFailure(65, "bad_kit")
        #expect(!named.text.contains("\u{1B}") && !named.errorText.contains("\u{1B}"))
        try FileManager.default.removeItem(atPath: first.folder.path("kit/wallet.json"))
        try FileManager.default.createSymbolicLink(
            atPath: first.folder.path("kit/wallet.json"), withDestinationPath: "/dev/zero")
        try await rehearse(with: [first]).expectFailure(65, "bad_kit")
    }
}

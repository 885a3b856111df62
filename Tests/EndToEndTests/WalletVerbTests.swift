import Bitcoin
import Foundation
import TestSupport
import Testing

/// `tapkit wallet` and `tapkit tx create` without a chain server, and what is refused.
@Suite struct WalletVerbTests {
    private let folder: TemporaryFolder
    private let environment: [String: String?]
    private let key: String

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        environment = Workshop.nothing.merging(["TAPKIT_DATA_DIR": folder.path("data")]) { $1 }
        let wallet = try SampleWallet(seed: 5)
        let path = try wallet.accountPath(.p2wpkh)
        key = "\(KeyOrigin(fingerprint: wallet.fingerprint, path: path))\(try wallet.extendedKey(path).text)"
    }

    private func tapkit(_ arguments: String..., input: Data = Data()) async throws -> Subprocess {
        try await Subprocess.run(
            Subprocess.tapkit, arguments + ["--json"], input: input, environment: environment, directory: folder.url)
    }

    @Test func aWalletIsAddedShownAndRemoved() async throws {
        #expect(try await tapkit("wallet", "list").succeeded().json().field("wallets", as: [Any].self).isEmpty)
        let added = try await tapkit("wallet", "add", "savings", "wpkh(\(key)/<0;1>/*)", "--network", "regtest")
            .succeeded().json()
        #expect(try added.text("name") == "savings")
        let descriptor = try #require(added.field("descriptors", as: [String].self).first)
        #expect(try Descriptor(parsing: descriptor, requiresChecksum: true).branchCount == 2)
        let wallets = try await tapkit("wallet", "list").succeeded().json().field("wallets", as: [[String: Any]].self)
        #expect(try wallets.map { try $0.text("name") } == ["savings"])
        let shown = try await tapkit("wallet", "show", "savings").succeeded().json()
        #expect(shown["confirmed_sat"] == nil && shown["utxos"] == nil)
        #expect(try shown.text("network") == "regtest")
        let receive = try await tapkit("wallet", "receive", "savings").succeeded().json()
        #expect(try receive.text("path") == "m/84h/1h/0h/0/0")
        #expect(try receive.text("address").hasPrefix("bcrt1q"))
        #expect((receive["warnings"] as? [String])?.count == 1)
        let drawn = try await tapkit("wallet", "receive", "savings", "--qr", "code.svg").succeeded().json()
        #expect(try drawn.text("qr_file") == "code.svg")
        #expect(try String(contentsOfFile: folder.path("code.svg"), encoding: .utf8).contains("<svg"))
        let inTerminal = try await tapkit("wallet", "receive", "savings", "--qr").succeeded()
        #expect(try inTerminal.json().text("address") == receive.text("address"))
        #expect(inTerminal.errorText.contains("█") || inTerminal.errorText.contains("▄"))
        let third = try await tapkit("wallet", "receive", "savings", "--index", "2").succeeded().json()
        #expect(try third.text("path") == "m/84h/1h/0h/0/2")
        try await tapkit("wallet", "remove", "savings").expectFailure(64, "confirmation_needed")
        #expect(try await tapkit("wallet", "remove", "savings", "--yes").succeeded().json()["removed"] as? Bool == true)
        try await tapkit("wallet", "show", "savings").expectFailure(65, "no_such_wallet")
    }

    /// The same keys under another name: added, and said to be known.
    @Test func aWalletThatIsKnownByAnotherNameIsSaidToBe() async throws {
        let first = try await tapkit("wallet", "add", "savings", "wpkh(\(key)/<0;1>/*)").succeeded()
        #expect(try first.json()["same_as"] == nil)
        let words = try await Subprocess.run(
            Subprocess.tapkit, ["wallet", "add", "my own", "wpkh(\(key)/<0;1>/*)"], environment: environment,
            directory: folder.url
        ).succeeded()
        #expect(words.errorText.contains("already stored under another name: “savings”."))
        #expect(words.errorText.contains("Next: tapkit wallet receive 'my own'"))
        let again = try await tapkit("wallet", "add", "again", "wpkh(\(key)/<0;1>/*)").succeeded().json()
        #expect(try again.field("same_as", as: [String].self).sorted() == ["my own", "savings"])
        let other = try await tapkit("wallet", "add", "other", "pkh(\(key)/<0;1>/*)").succeeded().json()
        #expect(other["same_as"] == nil)
    }

    /// A SATSCARD has no key of any wallet: that is said, and no card is waited for.
    @Test func aSatscardProvesNoWalletsAddress() async throws {
        try await tapkit("wallet", "add", "w", "wpkh(\(key)/<0;1>/*)").succeeded()
        let card = try await Workshop.satscard()
        for arguments in [["receive", "w", "--verify"], ["add", "mine", "--threshold", "1", "--wait=100"]] {
            let run = try await Subprocess.run(
                Subprocess.tapkit, ["wallet"] + arguments + ["--json"],
                environment: card.environment.merging(["TAPKIT_DATA_DIR": folder.path("data")]) { $1 },
                directory: folder.url)
            try run.expectFailure(65, "not_supported")
            #expect(try run.hint().contains("address, slots, unseal, sweep"))
        }
    }

    @Test func descriptorsComeFromStandardInputToo() async throws {
        let lines = Data("wpkh(\(key)/0/*)\n\nwpkh(\(key)/1/*)\r\n".utf8)
        let added = try await tapkit("wallet", "add", "w", "-", input: lines).succeeded().json()
        #expect(try added.field("descriptors", as: [String].self).count == 2)
        #expect(try added.text("network") == "test")
    }

    @Test func whatIsNoWalletIsRefused() async throws {
        let cases: [(name: String, descriptor: String, code: String)] = [
            ("w", "wpkh(\(key)/<0;1>/*)#aaaaaaaa", "bad_descriptor"), ("w", "wpkh(\(key)/0h/*)", "bad_descriptor"),
            ("w", "wpkh(\(key)/0/*", "bad_descriptor"), ("w", "pizza", "bad_descriptor"),
            ("a\u{1B}[2J", "wpkh(\(key)/0/*)", "bad_wallet_name"), ("", "wpkh(\(key)/0/*)", "bad_wallet_name"),
        ]
        for (name, descriptor, code) in cases {
            try await tapkit("wallet", "add", name, descriptor).expectFailure(65, code)
        }
        let secret = try SampleWallet(seed: 5).master.text
        let refused = try await tapkit("wallet", "add", "w", "wpkh(\(secret)/0/*)")
        try refused.expectFailure(65, "bad_descriptor")
        #expect(!refused.text.contains(secret) && !refused.errorText.contains(secret))
        try await tapkit("wallet", "add", "w", "wpkh(\(key)/0/*)", "--network", "main")
            .expectFailure(65, "wrong_network")
        try await tapkit("wallet", "add", "w", "wpkh(\(key)/0/*)").succeeded()
        try await tapkit("wallet", "add", "w", "wpkh(\(key)/1/*)").expectFailure(65, "wallet_exists")
        try await tapkit("wallet", "show", "w", "--network", "main").expectFailure(65, "wrong_network")
    }

    @Test func whatNeedsAServerSaysHowToNameOne() async throws {
        try await tapkit("wallet", "add", "w", "wpkh(\(key)/<0;1>/*)", "--network", "regtest").succeeded()
        for arguments in [
            ["wallet", "sync", "w"], ["wallet", "history", "w"],
            [
                "tx", "create", "--wallet", "w", "--to", "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080=5000sat",
                "--fee-rate", "1",
            ],
        ] {
            let failure = try await Subprocess.run(
                Subprocess.tapkit, arguments + ["--json"], environment: environment)
            try failure.expectFailure(69, "no_chain_server")
            #expect(try failure.hint().contains("--chain"))
        }
        try await tapkit("wallet", "sync", "w", "--chain", "electrum:127.0.0.1:1:t")
            .expectFailure(69, "chain_unreachable")
        try await tapkit("wallet", "sync", "w", "--chain", "pigeon:coop").expectFailure(64, "usage")
    }

    @Test(arguments: [
        ("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080=1,5btc", "bad_amount"),
        ("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080=0.000000001btc", "bad_amount"),
        ("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080=5000", "bad_amount"),
        ("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080=1e3sat", "bad_amount"),
        ("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080=-5sat", "bad_amount"),
        ("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080=21000001btc", "bad_amount"),
        ("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080", "bad_amount"),
        ("bitcoin:bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080", "bad_amount"),
        ("bitcoin:bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080?amount=1,5", "bad_payment_uri"),
        ("bitcoin:bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080?amount=1&req-magic=1", "bad_payment_uri"),
        ("bitcoin:bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080?amount=1&req-pop=app%3Apaid", "bad_payment_uri"),
        // A proof that is not required is no obstacle: only the amount is missing.
        ("bitcoin:bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080?pop=app%3Apaid", "bad_amount"),
        ("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt081=5000sat", "bad_address"),
        ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4=5000sat", "wrong_network"),
        ("bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=1", "wrong_network"),
        ("=5000sat", "bad_address"),
    ])
    func whatCannotBePaidIsSaidFirst(_ payment: String, _ code: String) async throws {
        try await tapkit("wallet", "add", "w", "wpkh(\(key)/<0;1>/*)", "--network", "regtest").succeeded()
        try await tapkit("tx", "create", "--wallet", "w", "--to", payment, "--fee-rate", "1").expectFailure(65, code)
    }

    @Test(arguments: ["0", "-1", "1,5", "1.2345", "x", "1000000"])
    func badFeeRatesAreRefused(_ rate: String) async throws {
        try await tapkit("wallet", "add", "w", "wpkh(\(key)/<0;1>/*)", "--network", "regtest").succeeded()
        try await tapkit(
            "tx", "create", "--wallet", "w", "--to", "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080=5000sat",
            "--fee-rate=\(rate)"
        ).expectFailure(65, "bad_fee_rate")
    }

    @Test func labelsComeAndGo() async throws {
        try await tapkit("wallet", "add", "w", "wpkh(\(key)/<0;1>/*)", "--network", "regtest").succeeded()
        let address = try await tapkit("wallet", "receive", "w").succeeded().json().text("address")
        let id = String(repeating: "ab", count: 32)
        let payee = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"
        let lines = """
            {"type":"addr","ref":"\(address)","label":"Käse"}
            {"type":"tx","ref":"\(id)","label":"rent","origin":"wpkh([d34db33f/84h/0h/0h])","height":5,"fee":1.50}
            {"type":"output","ref":"\(id):1","spendable":false}
            {"type":"addr","ref":"\(payee)","label":"Landlord"}
            {"type":"moon","ref":"x"}

            """
        try folder.write(lines, to: "labels.jsonl")
        let imported = try await tapkit("wallet", "labels", "import", "w", "labels.jsonl").succeeded().json()
        #expect(imported["imported"] as? Int == 4 && imported["ignored"] as? Int == 1 && imported["own"] as? Int == 1)
        let payees: [[String: String]] = try imported.field("payees")
        #expect(payees == [["address": payee, "label": "Landlord"]])
        let again = try await tapkit("wallet", "labels", "import", "w", "labels.jsonl").succeeded().json()
        #expect(again["payees"] == nil)
        let exported = try await tapkit("wallet", "labels", "export", "w", "out.jsonl").succeeded().json()
        #expect(exported["labels"] as? Int == 4)
        let text = try String(contentsOfFile: folder.path("out.jsonl"), encoding: .utf8)
        let written = Set(text.split(separator: "\n"))
        let kept = Set(lines.split(separator: "\n").dropLast())
        #expect(written == kept)
        try folder.write("other", to: "out.jsonl")
        try await tapkit("wallet", "labels", "export", "w", "out.jsonl").expectFailure(73, "would_overwrite")
        try folder.write("{\"type\":\"tx\"}\n", to: "bad.jsonl")
        try await tapkit("wallet", "labels", "import", "w", "bad.jsonl").expectFailure(65, "bad_labels")
        try await tapkit("wallet", "labels", "import", "w", "none.jsonl").expectFailure(66, "no_input_file")
    }

    /// A file from outside does not quietly give coins free that were put aside.
    @Test func thawingIsAskedAbout() async throws {
        let place = try await ChainPlace(try await Workshop())
        try await place("wallet", "add", "w").succeeded()
        let address = try await place("wallet", "receive", "w").succeeded().json().text("address")
        try await place.fund(address, 50_000)
        func coin() async throws -> [String: Any] {
            try #require(
                try await place("wallet", "show", "w").succeeded().json().field("utxos", as: [[String: Any]].self).first
            )
        }
        let outpoint = try await coin().text("outpoint")
        #expect(try await coin().field("frozen", as: Bool.self) == false)
        func write(_ fields: String, to name: String) throws {
            try place.workshop.folder.write(
                "{\"type\":\"output\",\"ref\":\"\(outpoint)\"\(fields)}\n", to: name)
        }
        try write(",\"spendable\":false", to: "freeze")
        try write(",\"label\":\"x\"", to: "label")
        try write(",\"spendable\":true,\"label\":\"y\"", to: "thaw")
        let froze = try await place("wallet", "labels", "import", "w", "freeze").succeeded().json()
        #expect(try froze.field("frozen", as: [String].self) == [outpoint])
        #expect(try await coin().field("frozen", as: Bool.self))
        let shown = try await place.workshop.tapkit(
            "wallet", "show", "w", "--offline", environment: ["TAPKIT_NETWORK": "regtest"])
        #expect(try shown.succeeded().text.contains("FROZEN"))
        // What says nothing of it thaws nothing.
        let label = try await place("wallet", "labels", "import", "w", "label").succeeded().json()
        #expect(try label.field("thawed", as: [String].self).isEmpty)
        #expect(try await coin().field("frozen", as: Bool.self))
        let asked = try await place("wallet", "labels", "import", "w", "thaw")
        try asked.expectFailure(64, "confirmation_needed")
        #expect(asked.errorText.contains(outpoint))
        let kept = try await coin()
        #expect(try kept.field("frozen", as: Bool.self) && kept.text("label") == "x")
        let thawed = try await place("wallet", "labels", "import", "w", "thaw", "--yes").succeeded().json()
        #expect(try thawed.field("thawed", as: [String].self) == [outpoint])
        #expect(try await coin().field("frozen", as: Bool.self) == false)
    }

    @Test func theCardsOwnWallet() async throws {
        for (path, form) in [("m/44h/1h/0h", "pkh(["), ("m/49h/1h/0h", "sh(wpkh(["), ("m/84h/1h/0h", "wpkh([")] {
            let workshop = try await Workshop(isSetUp: false)
            try await workshop.tapkit("setup", "--keep-cvc", "--backup", "b.aes", "--path", path).succeeded()
            let added = try await workshop.tapkit("wallet", "add", "mine", "--network", "regtest", "--json")
                .succeeded().json()
            #expect(try #require(added.field("descriptors", as: [String].self).first).hasPrefix(form))
            let receive = try await workshop.tapkit("wallet", "receive", "mine", "--verify", "--json").succeeded()
                .json()
            #expect(receive["verified"] as? Bool == true)
            #expect(try receive.text("ident") == workshop.ident)
            let other = try await Workshop()
            let refused = try await workshop.tapkit(
                "wallet", "receive", "mine", "--verify", "--json",
                environment: ["TAPKIT_READER": "sim:\(other.cardFile)", "TAPKIT_CVC_FILE": other.folder.path("cvc")])
            try refused.expectFailure(65, "other_wallet")
            guard path == "m/84h/1h/0h" else { continue }
            try await workshop.tapkit("derive", "m/84h/1h/9h").succeeded()
            let away = try await workshop.tapkit("wallet", "receive", "mine", "--verify", "--json")
            try away.expectFailure(65, "other_wallet")
            #expect(try away.hint().contains("tapkit derive m/84h/1h/0h"))
        }
    }
}

import Bitcoin
import Foundation
import TestSupport
import Testing

/// Wallets made from policies: by options and by answers, out of cards' keys and others', and what other programs get of them.
@Suite(.fewAtATime) struct PolicyTemplateTests {
    /// A card whose key the store knows, with a second card's and a friend's key in files.
    private struct Family: Sendable {
        let first: Workshop
        let second: Workshop
        /// Its keys: the first card's, the second's, the friend's.
        let keys: [PolicyKey]

        init() async throws {
            first = try await Workshop()
            second = try await Workshop()
            let path = "m/48h/1h/0h/2h"
            for workshop in [first, second] {
                try await workshop.tapkit("derive", path).succeeded()
                try await workshop.tapkit("export", "cosigner", "-o", "own.key").succeeded()
            }
            let account = try DerivationPath(parsing: path)
            let friend = try SampleWallet(seed: 77)
            let friendsKey = PolicyKey(
                origin: KeyOrigin(fingerprint: friend.fingerprint, path: account), key: try friend.extendedKey(account))
            let own = try [first, second].map {
                try PolicyKey(parsing: String(decoding: $0.bytes("own.key").dropLast(), as: UTF8.self))
            }
            keys = own + [friendsKey]
            try first.folder.write("\(own[1])\n", to: "second.key")
            try first.folder.write("\(friendsKey)/<0;1>/*\n", to: "friend.key")
        }

        func add(_ arguments: String..., environment: [String: String?] = [:]) async throws -> Subprocess {
            try await first.tapkit(
                ["wallet", "add"] + arguments + ["--json"],
                environment: ["TAPKIT_NETWORK": "regtest"].merging(environment) { $1 })
        }

        /// What a template makes of the keys with these numbers.
        func descriptor(
            _ template: PolicyTemplate, _ own: [Int], _ threshold: Int, _ later: [Int], _ laterThreshold: Int?,
            _ blocks: Int
        ) throws -> String? {
            try TemplatePolicy(
                template, keys: own.map { keys[$0] }, threshold: threshold, laterKeys: later.map { keys[$0] },
                laterThreshold: laterThreshold, blocks: blocks
            ).descriptor.text
        }

        func isEmpty() async throws -> Bool {
            let list = try await first.tapkit("wallet", "list", "--json").succeeded().json()
            return try list.field("wallets", as: [Any].self).isEmpty
        }
    }

    /// What a failure says.
    private static func message(_ answer: [String: Any]) -> String {
        (answer["error"] as? [String: Any])?["message"] as? String ?? ""
    }

    @Test func aPolicyIsMadeByOptions() async throws {
        let family = try await Family()
        let card = "card:\(family.first.ident.prefix(11))"
        let cases: [(arguments: [String], descriptor: String?)] = [
            (
                [
                    "decaying", "--key", card, "--key", "second.key", "--key", "friend.key", "--threshold", "2",
                    "--after", "180d",
                ],
                try family.descriptor(.decaying, [0, 1, 2], 2, [], 1, 25_920)
            ),
            (
                [
                    "expanding", "--key", card, "--key", "second.key", "--later-key", "friend.key", "--threshold", "2",
                    "--after", "26280",
                ],
                try family.descriptor(.expanding, [0, 1], 2, [2], nil, 26_280)
            ),
            (
                [
                    "inheritance", "--key", card, "--heir", "second.key", "--heir", "\(family.keys[2])",
                    "--later-threshold", "2", "--after", "65535",
                ],
                try family.descriptor(.inheritance, [0], 1, [1, 2], 2, 65_535)
            ),
            (
                ["recovery", "--key", "own.key", "--later-key", "second.key", "--after", "1", "-y"],
                try family.descriptor(.recovery, [0], 1, [1], 1, 1)
            ),
        ]
        for (arguments, descriptor) in cases {
            let added = try await family.first.tapkit(
                ["wallet", "add", arguments[0], "--policy"] + arguments + ["--json"],
                environment: ["TAPKIT_NETWORK": "regtest"]
            ).succeeded()
            let answer = try added.json()
            #expect(try answer.field("descriptors", as: [String].self) == [try #require(descriptor)])
            #expect(try answer.text("network") == "regtest")
            #expect(try answer.field("paths", as: [[String: Any]].self).count == 2)
            #expect(answer["warnings"] == nil)
            // The policy and its risks are shown to whoever is not asked.
            #expect(added.errorText.contains("Risks: Once a coin is that old"))
            #expect(added.errorText.contains("\(family.keys[0].origin.fingerprint) at m/48h/1h/0h/2h, TAPSIGNER "))
            try await expectOthersReadIt(arguments[0], descriptor, family)
        }
        let verified = try await family.first.tapkit(
            "wallet", "receive", "decaying", "--verify", "--json", environment: ["TAPKIT_NETWORK": "regtest"]
        ).succeeded().json()
        #expect(try verified.text("address").hasPrefix("bcrt1q"))
    }

    /// What Liana and Nunchuk get is the same wallet when it comes back.
    private func expectOthersReadIt(_ name: String, _ descriptor: String?, _ family: Family) async throws {
        for (format, option) in [
            ("liana", "--from"), ("bsms", "--from"), ("bsms", "--bsms"), ("descriptors", "--from"),
        ] {
            let file = "\(name).\(format)"
            try await family.first.tapkit("export", format, "--wallet", name, "-o", file, "--force").succeeded()
            let back = "\(name) \(format) \(option)"
            let added = try await family.add(back, option, file).succeeded().json()
            #expect(try added.field("descriptors", as: [String].self) == [try #require(descriptor)])
            #expect(try added.field("same_as", as: [String].self).contains(name))
        }
        let record = String(decoding: try family.first.bytes("\(name).bsms"), as: UTF8.self)
        let lines = record.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 4 && lines[1] == descriptor.map { Substring($0) } && lines[2] == "No path restrictions")
    }

    @Test func whatIsMissingIsListed() async throws {
        let family = try await Family()
        let cases: [([String], String)] = [
            (["decaying"], "--key (at least two), --threshold, --later-threshold, --after"),
            (["decaying", "--key", "own.key", "--after", "9"], "--key (at least two), --threshold, --later-threshold"),
            (["decaying", "--key", "own.key", "--key", "second.key", "--threshold", "2"], "--after"),
            (
                ["inheritance"],
                "--key, --threshold (for more than one key), --heir, --later-threshold (for more than one later key), --after"
            ),
            (["inheritance", "--key", "own.key", "--heir", "second.key"], "--after"),
            (["expanding", "--key", "own.key", "--key", "second.key", "--after", "9"], "--threshold, --later-key"),
            (
                ["recovery", "--key", "own.key", "--later-key", "a", "--later-key", "b", "--after", "9"],
                "--later-threshold"
            ),
        ]
        for (arguments, missing) in cases {
            let error = try await family.first.tapkit(
                ["wallet", "add", "w", "--policy"] + arguments + ["--json"]
            ).expectFailure(64, "usage")
            #expect(Self.message(error) == "The policy \(arguments[0]) also needs \(missing).")
        }
        #expect(try await family.isEmpty())
    }

    @Test func whatCannotBeIsRefusedBeforeAnythingIsStored() async throws {
        let family = try await Family()
        let secret = try ExtendedPrivateKey(seed: SecretBytes([UInt8](repeating: 9, count: 32)), network: .test)
        try family.first.folder.write("[00000001/48h]\(secret.text)\n", to: "private.key")
        try family.first.folder.write("\(family.keys[2].key.text)\n", to: "bare.key")
        let main = family.keys[2].key.written(for: .main).text
        let cases: [(keys: [String], others: [String], status: Int32, code: String, words: String)] = [
            (["own.key", "own.key"], [], 65, "bad_descriptor", "keys 1 and 2 are the same"),
            (["own.key", "card:\(family.first.ident)"], [], 65, "bad_descriptor", "keys 1 and 2 are the same"),
            (["own.key", "[00000001/48h]\(main)"], [], 65, "wrong_network", "00000001"),
            (["own.key", "private.key"], [], 65, "bad_descriptor", "private.key: it is a private key"),
            (["own.key", "bare.key"], [], 65, "bad_descriptor", "bare.key: it has no origin"),
            (["own.key", family.keys[2].key.text], [], 65, "bad_descriptor", "it has no origin"),
            (["own.key", "missing.key"], [], 66, "no_input_file", "missing.key"),
            (["own.key", "card:XXXXX"], [], 64, "usage", "XXXXX"),
            (
                ["own.key", "second.key"], ["--threshold", "3", "--later-threshold", "1"], 64, "usage",
                "3 signatures of 2"
            ),
            (["own.key", "second.key"], ["--later-threshold", "2"], 64, "usage", "fewer than 2"),
            (["own.key", "second.key"], ["--later-key", "friend.key"], 64, "usage", "--later-key"),
            (["own.key", "second.key"], ["--after", "0"], 64, "usage", "“0”"),
            (["own.key", "second.key"], ["--after", "65536"], 64, "usage", "“65536”"),
            (["own.key", "second.key"], ["--after", "456d"], 64, "usage", "“456d”"),
            (["own.key", "second.key"], ["--after", "99999999999999999999d"], 64, "usage", "“99999999999999999999d”"),
            (["own.key", "second.key"], ["--cards", "2"], 64, "usage", "--cards"),
        ]
        for (keys, others, status, code, words) in cases {
            var arguments = ["wallet", "add", "w", "--policy", "decaying", "--json"] + keys.flatMap { ["--key", $0] }
            if !others.contains("--threshold") { arguments += ["--threshold", "2"] }
            if !others.contains("--after") { arguments += ["--after", "100"] }
            let error = try await family.first.tapkit(
                arguments + others, environment: ["TAPKIT_NETWORK": "regtest"]
            ).expectFailure(status, code)
            #expect(Self.message(error).contains(words), "\(error)")
        }
        try await family.add("w", "--key", "own.key").expectFailure(64, "usage")
        try await family.add("w", "--policy", "decaying", "--from", "own.key").expectFailure(64, "usage")
        #expect(try await family.isEmpty())
    }

    /// Plain questions, and what cannot be is asked for again; the risks come before the wallet.
    @Test(arguments: ["y", "n"]) func aPolicyIsMadeByAnswers(_ answer: String) async throws {
        let family = try await Family()
        let terminal = try Terminal(
            family.first, ["wallet", "add", "family", "--policy", "decaying"],
            environment: ["TAPKIT_NETWORK": "regtest"])
        let list = try await terminal.shows("Key 1 that can spend at any time")
        #expect(list.contains("1  \(family.keys[0].origin.fingerprint) at m/48h/1h/0h/2h, TAPSIGNER"))
        for (keys, reply) in [
            ("9\n", "There is no key 9"), ("no.key\n", "No such file"), ("1\n", "Key 2 that can spend"),
            ("own.key\n", "already given"), ("second.key\n", "Key 3 that can spend"), ("friend.key\n", "Key 4"),
            ("\n", "How many of these 3 keys must sign? (2 to 3)"), ("4\n", "from 2 to 3"),
            ("2\n", "How old must a coin be"), ("7m\n", "1d to 455d"),
        ] {
            terminal.type(keys)
            try await terminal.shows(reply)
        }
        terminal.type("180d\n")
        let screen = try await terminal.shows("Make this wallet? [y/N]")
        #expect(screen.contains("Risks: Once a coin is that old, fewer keys can spend it"))
        #expect(screen.contains("2  1 of ") && screen.contains("25920 blocks (about 180 days)"))
        #expect(screen.contains("First address: bcrt1q"))
        terminal.type("\(answer)\n")
        #expect(try await terminal.ending() == .exited(answer == "y" ? 0 : 130))
        #expect(try await family.isEmpty() == (answer == "n"))
        guard answer == "y" else { return }
        let shown = try await family.first.tapkit("wallet", "show", "family", "--json", "--offline").succeeded().json()
        let descriptor = try family.descriptor(.decaying, [0, 1, 2], 2, [], 1, 25_920)
        #expect(try shown.field("descriptors", as: [String].self) == [try #require(descriptor)])
    }

    /// What has one answer only is said, not asked.
    @Test func twoKeysLeaveNothingToAsk() async throws {
        let family = try await Family()
        let terminal = try Terminal(
            family.first,
            ["wallet", "add", "family", "--policy", "decaying", "--key", "own.key", "--key", "second.key"],
            environment: ["TAPKIT_NETWORK": "regtest"])
        var screen = try await terminal.shows("How old must a coin be before fewer keys are enough")
        #expect(screen.contains("Both keys must sign.") && !screen.contains("How many"))
        terminal.type("soon\n")
        screen += try await terminal.shows("How old must a coin be")
        #expect(!screen.contains("See tapkit help"))
        terminal.type("\u{3}")
        #expect(try await terminal.ending() == .exited(130))
    }

    /// Only what is missing is asked for; on a narrow terminal no line is too long.
    @Test func heirsAreAskedForOnANarrowTerminal() async throws {
        let family = try await Family()
        let terminal = try Terminal(
            family.first,
            ["wallet", "add", "family", "--policy", "inheritance", "--key", "own.key", "--after", "52560"],
            environment: ["TAPKIT_NETWORK": "regtest"], columns: 60)
        var screen = try await terminal.shows("Heir 1's key")
        terminal.type("second.key\n")
        screen += try await terminal.shows("Heir 2's key")
        terminal.type("\n")
        screen += try await terminal.shows("[y/N]")
        #expect(screen.contains("even while"))
        for line in screen.split(whereSeparator: \.isNewline) where line.contains(" ") {
            // A word without a space cannot be broken.
            #expect(line.count <= 60 || !line.drop { $0 == " " }.contains(" "), "\(line)")
        }
        terminal.type("\u{3}")
        #expect(try await terminal.ending() == .exited(130))
        #expect(try await family.isEmpty())
    }

    @Test func lianasBackupBecomesAWallet() async throws {
        let workshop = try await Workshop(isSetUp: false)
        let backup = try Vectors.contents("liana/liana-backup-2025-06-23T13-23-54.json")
        let added = try await workshop.tapkit("wallet", "add", "liana", "--from", "-", "--json", input: backup)
            .succeeded().json()
        #expect(try added.text("network") == "regtest")
        let exported = try await workshop.tapkit("export", "liana", "--wallet", "liana").succeeded().text
        #expect(try added.field("descriptors", as: [String].self) == [exported.filter { !$0.isNewline }])
        try await workshop.tapkit(
            "wallet", "add", "other", "--from", "-", "--network", "signet", "--json", input: backup
        )
        .expectFailure(65, "wrong_network")
        for row in try Vectors.load("liana/descriptors.json") {
            let text = try row.text("descriptor")
            guard text.hasPrefix("tr("), row.kind == "accepted" else { continue }
            let input = Data((text + "\n").utf8)
            let error = try await workshop.tapkit("wallet", "add", "tr", "--from", "-", "--json", input: input)
                .expectFailure(65, "bad_descriptor")
            #expect(Self.message(error).contains("taproot"))
        }
    }

    /// A wallet of a template is spent: at once by two, and later by one card alone.
    @Test func aDecayingWalletIsSpentByOneCardLater() async throws {
        let family = try await Family()
        let node = try await BitcoinNode.start()
        let chain: [String: String?] = ["TAPKIT_NETWORK": "regtest", "TAPKIT_CHAIN": node.coreServer()]
        func run(_ arguments: String..., card: Workshop? = nil) async throws -> [String: Any] {
            try await run(arguments, card: card)
        }
        func run(_ arguments: [String], card: Workshop? = nil) async throws -> [String: Any] {
            let reader = ["TAPKIT_READER": "sim:\((card ?? family.first).cardFile)"]
            return try await family.first.tapkit(
                arguments + ["--json"], environment: chain.merging(reader) { $1 }
            ).succeeded().json()
        }
        _ = try await family.add(
            "family", "--policy", "decaying", "--key", "own.key", "--key", "second.key", "--threshold", "2", "--after",
            "10"
        ).succeeded()
        let address = try await run("wallet", "receive", "family", "--verify").text("address")
        try await node.fund(
            Address(parsing: address, network: .regtest).scriptPubKey, try #require(Amount(satoshis: 1_000_000)))
        for _ in 0..<10 { try await node.mine() }
        let to = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080=0.001btc"
        let create = ["tx", "create", "--wallet", "family", "--to", to, "--fee-rate", "3"]
        let soon = try await run(create + ["--path", "1"])
        let half = try await run("tx", "sign", soon.text("id"), "--yes", card: family.second)
        #expect(try half.field("complete") == false && half.field("missing") == 1)
        _ = try await run("tx", "delete", soon.text("id"), "--yes")
        // Nobody has to say that this path is open by now, and cheaper.
        let later = try await run(create)
        let alone = try await run("tx", "sign", later.text("id"), "--yes", card: family.second)
        #expect(try alone.field("complete") == true && alone.field("warnings", as: [Any].self).isEmpty)
        _ = try await run("tx", "broadcast", later.text("id"))
        try await node.stop()
    }
}

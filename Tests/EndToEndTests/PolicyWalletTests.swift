import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// A wallet whose policy is miniscript, on a real node: two of three at once, one of them when the coin is older.
@Suite(.fewAtATime) struct PolicyWalletTests {
    /// `tapkit` in the first card's folder, with either card.
    private struct Family: Sendable {
        let first: Workshop
        let second: Workshop
        let node: BitcoinNode
        let descriptor: Descriptor

        init() async throws {
            first = try await Workshop()
            second = try await Workshop()
            node = try await BitcoinNode.start()
            let holders = [try await first.wallet(), try await second.wallet(), try SampleWallet(seed: 77)]
            descriptor = try SamplePolicy("thresh(2,pk(#A),s:pk(#B),s:pk(#C),sln:older(10))", holders).descriptor()
        }

        func run(_ arguments: String..., card: Workshop? = nil) async throws -> Subprocess {
            try await first.tapkit(
                arguments + ["--json"],
                environment: [
                    "TAPKIT_READER": "sim:\((card ?? first).cardFile)", "TAPKIT_NETWORK": "regtest",
                    "TAPKIT_CHAIN": node.coreServer(),
                ])
        }

        func create(_ arguments: String...) async throws -> Subprocess {
            let target = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080=0.1btc"
            return try await first.tapkit(
                ["tx", "create", "--wallet", "family", "--to", target, "--fee-rate", "3", "--json"] + arguments,
                environment: ["TAPKIT_NETWORK": "regtest", "TAPKIT_CHAIN": node.coreServer()])
        }

        /// What a person reads.
        func tell(_ arguments: String...) async throws -> String {
            try await first.tapkit(arguments, environment: ["TAPKIT_NETWORK": "regtest"]).succeeded().text
        }

        /// What the node says of a transaction; `nil`: it takes it.
        func reasonAgainst(_ transaction: Transaction) async throws -> String? {
            let answers = try await node.call(
                "testmempoolaccept", [Hex.encode(transaction.serialized())], as: [[String: Any]].self)
            return answers.first?["allowed"] as? Bool == true ? nil : answers.first?["reject-reason"] as? String ?? ""
        }
    }

    private static func transaction(_ answer: [String: Any]) throws -> Transaction {
        try Transaction(serialized: Hex.decode(answer.text("tx")))
    }

    @Test func twoSpendAtOnceAndOneLater() async throws {
        let family = try await Family()
        let text = try #require(family.descriptor.text)
        let added = try await family.run("wallet", "add", "family", text).succeeded().json()
        #expect(try added.field("descriptors", as: [String].self) == [text])
        try await expectCoresAddresses(family)

        // Paid, and shown with its ways.
        let address = try await family.run("wallet", "receive", "family").succeeded().json().text("address")
        let script = try Address(parsing: address, network: .regtest).scriptPubKey
        try await family.node.fund(script, try #require(Amount(satoshis: 100_000_000)))
        try await family.node.mine()
        let height = try await family.node.call("getblockcount", as: Int.self)
        let seen = try await family.node.call("listunspent", wallet: "watch", as: [[String: Any]].self)
        #expect(seen.map { $0["address"] as? String } == [address])
        let shown = try await family.run("wallet", "show", "family").succeeded().json()
        let ways = try shown.field("paths", as: [[String: Any]].self)
        #expect(ways.map { $0["path"] as? Int } == [1, 2])
        #expect(ways.map { ($0["signers"] as? [[String: Any]])?.first?["threshold"] as? Int } == [2, 1])
        #expect(ways[1]["older_blocks"] as? Int == 10 && ways[1]["open_coins"] as? Int == 0)
        #expect(ways[1]["next_height"] as? Int == height + 10)
        let opening = try #require(ways[1]["next_at"] as? String)
        #expect(opening.hasPrefix("20") && opening.hasSuffix("Z"))
        let coin = try #require(shown.field("utxos", as: [[String: Any]].self).first)
        let soon = try #require((coin["openings"] as? [[String: Any]])?.first)
        #expect(soon["path"] as? Int == 2 && soon["blocks"] as? Int == 9 && soon["opens_at"] as? String == opening)
        let told = try await family.tell("wallet", "show", "family", "--offline")
        #expect(told.contains("path 2 opens in 9 blocks, about "), "\(told)")
        let next = "open to 0 of 1 coin; opens to the next coin from block \(height + 10), about \(opening.prefix(10))"
        #expect(told.contains(next), "\(told)")

        // Heirs read the same, on paper, too.
        try await family.run("wallet", "kit", "family", "-o", "kit").succeeded()
        for file in ["read-me.txt", "page.svg"] {
            let text = String(decoding: try family.first.bytes("kit/\(file)"), as: UTF8.self)
            let flat = text.replacing(/<[^>]*>/, with: " ").replacing(/\s+/, with: " ")
            #expect(
                flat.contains("Open to 0 of 1 coin; opens to the next coin from block \(height + 10), about "),
                "\(flat)")
        }

        // At once: by two.
        try await family.create("--path", "2").expectFailure(65, "cannot_build")
        try await family.create("--path", "3").expectFailure(65, "cannot_build")
        let created = try await family.create().succeeded().json()
        let policies = try created.field("policies", as: [[String: Any]].self)
        let reviewed = try #require(policies.first?["paths"] as? [[String: Any]])
        #expect(policies.count == 1 && reviewed.map { $0["taken"] as? Bool } == [true, false])
        #expect(reviewed[1]["open"] as? Bool == false && reviewed[1]["next_height"] as? Int == height + 10)
        #expect((reviewed[1]["next_at"] as? String)?.prefix(13) == opening.prefix(13))
        let id = try created.text("id")
        let read = try await family.tell("tx", "show", id)
        #expect(read.contains(": closed until block \(height + 10), about 20"), "\(read)")
        let half = try await family.run("tx", "sign", id, "--yes").succeeded().json()
        #expect(try half.field("complete") == false && half.field("missing") == 1)
        try await expectCoreSigns(half.text("psbt"), family)
        let signed = try await family.run("tx", "sign", id, "--yes", card: family.second).succeeded().json()
        #expect(try signed.field("complete") == true)
        #expect(try signed.field("warnings", as: [Any].self).isEmpty)
        let outputs = try signed.field("outputs", as: [[String: Any]].self)
        #expect(outputs.count { $0["change"] as? Bool == true } == 1)
        try await Judges.expectValid(signed)
        try await expectNoOtherWitness(signed, family)
        let size = try Self.transaction(signed).virtualSize
        #expect(abs(size - (try created.field("vsize", as: Int.self))) <= 1)
        try await family.run("tx", "broadcast", id).succeeded()

        // Ten blocks later: by one, and not a block earlier.
        for _ in 0..<10 { try await family.node.mine() }
        let later = try await family.create("--path", "2", "--lock-time", "0").succeeded().json()
        let alone = try await family.run("tx", "sign", later.text("id"), "--yes", card: family.second).succeeded()
            .json()
        #expect(try alone.field("complete") == true && alone.field("signed_by", as: [String].self).count == 1)
        let transaction = try Self.transaction(alone)
        #expect(transaction.inputs.map(\.sequence) == [10])
        let tip = try await family.node.call("getbestblockhash", as: String.self)
        try await family.node.call("invalidateblock", tip)
        let early = try await family.reasonAgainst(transaction)
        #expect(early == "non-BIP68-final")
        try await family.run("tx", "broadcast", later.text("id")).expectFailure(65, "transaction_rejected")
        try await family.node.call("reconsiderblock", tip)
        let late = try await family.reasonAgainst(transaction)
        #expect(late == nil)
        try await expectNoOtherWitness(alone, family)
        try await family.run("tx", "broadcast", later.text("id")).succeeded()

        // Replaced, it stays in its way.
        let bumped = try await family.run("tx", "bump", later.text("id"), "--fee-rate", "9").succeeded().json()
        let again = try await family.run("tx", "sign", bumped.text("id"), "--yes").succeeded().json()
        #expect(try Self.transaction(again).inputs.map(\.sequence) == [10])
        try await family.run("tx", "broadcast", bumped.text("id")).succeeded()
        try await family.node.mine()
        try await family.node.stop()
    }

    /// A lock of height: the transaction has it, and the node takes it from that height on.
    @Test func aHeightOpensItsPath() async throws {
        let family = try await Family()
        let start = try await family.node.call("getblockcount", as: Int.self)
        let lock = start + 110
        let policy = SamplePolicy(
            "or_d(pk(#A),and_v(v:pk(#B),after(\(lock))))",
            [try await family.first.wallet(), try await family.second.wallet()])
        try await family.run("wallet", "add", "family", try #require(policy.descriptor().text)).succeeded()
        let address = try await family.run("wallet", "receive", "family").succeeded().json().text("address")
        let script = try Address(parsing: address, network: .regtest).scriptPubKey
        try await family.node.fund(script, try #require(Amount(satoshis: 100_000_000)))
        while try await family.node.call("getblockcount", as: Int.self) < lock - 1 { try await family.node.mine() }
        try await family.create("--path", "2").expectFailure(65, "cannot_build")
        try await family.node.mine()
        let created = try await family.create("--path", "2").succeeded().json()
        let signed = try await family.run("tx", "sign", created.text("id"), "--yes", card: family.second).succeeded()
            .json()
        #expect(try signed.field("complete") == true)
        let transaction = try Self.transaction(signed)
        #expect(transaction.lockTime == UInt32(lock) && transaction.inputs[0].sequence < 0xFFFF_FFFF)
        let tip = try await family.node.call("getbestblockhash", as: String.self)
        try await family.node.call("invalidateblock", tip)
        let early = try await family.reasonAgainst(transaction)
        #expect(early == "non-final")
        try await family.node.call("reconsiderblock", tip)
        try await family.run("tx", "broadcast", created.text("id")).succeeded()
        try await family.node.stop()
    }

    /// Who has the preimage spends at once, and the PSBT carries it; a wrong one is told.
    @Test func aPreimageOpensItsPath() async throws {
        let family = try await Family()
        let preimage = [UInt8](repeating: 7, count: 32)
        try family.first.folder.write("\(Hex.encode(preimage))\n", to: "preimage")
        try family.first.folder.write("\(Hex.encode([UInt8](repeating: 8, count: 32)))\n", to: "wrong")
        let hash = Hex.encode(SHA256.hash(preimage))
        let policy = SamplePolicy(
            "andor(pk(#A),sha256(\(hash)),and_v(v:pk(#B),older(10)))",
            [try await family.first.wallet(), try await family.second.wallet()])
        let text = try #require(policy.descriptor().text)
        try await family.run("wallet", "add", "family", text).succeeded()
        let address = try await family.run("wallet", "receive", "family").succeeded().json().text("address")
        let script = try Address(parsing: address, network: .regtest).scriptPubKey
        try await family.node.fund(script, try #require(Amount(satoshis: 100_000_000)))
        try await family.node.mine()
        try await family.run("wallet", "sync", "family").succeeded()
        let wrong = family.first.folder.path("wrong")
        try await family.create("--preimage", wrong).expectFailure(65, "cannot_build")
        let created = try await family.create("--preimage", family.first.folder.path("preimage")).succeeded().json()
        let psbt = try PSBT(fileContent: Array(created.text("psbt").utf8))
        #expect(psbt.inputs[0].preimages == [.sha256: [SHA256.hash(preimage): preimage]])
        let signed = try await family.run("tx", "sign", created.text("id"), "--yes").succeeded().json()
        #expect(try signed.field("complete") == true)
        let transaction = try Self.transaction(signed)
        #expect(transaction.inputs[0].witness.contains(preimage))
        let reason = try await family.reasonAgainst(transaction)
        #expect(reason == nil)
        try await family.run("tx", "broadcast", created.text("id")).succeeded()
        try await family.node.stop()
    }

    /// 128 paths with eight combinations of locks: each is a path to choose, the node takes it in time, and heirs can.
    @Test func tooManyPathsAreToldByTheirLocks() async throws {
        let family = try await Family()
        let holders = try (0..<6).map { try SampleWallet(seed: UInt8(60 + $0)) }
        let parts = "ABCDEFG".enumerated().map { "or_c(pk(#\($1)),v:older(\($0 + 1)))" }
        let conditions = parts.dropFirst().reduce(parts[0]) { "and_v(\($0),\($1))" }
        let policy = SamplePolicy(
            "and_v(\(conditions),pk(#H))",
            holders + [try await family.second.wallet(), try await family.first.wallet()])
        try await family.run("wallet", "add", "family", try #require(policy.descriptor().text)).succeeded()
        let address = try await family.run("wallet", "receive", "family").succeeded().json().text("address")
        let script = try Address(parsing: address, network: .regtest).scriptPubKey
        try await family.node.fund(script, try #require(Amount(satoshis: 100_000_000)))
        for _ in 0..<4 { try await family.node.mine() }

        let keys = policy.holders.map(\.fingerprint.description)
        let shown = try await family.run("wallet", "show", "family").succeeded().json()
        let paths = try shown.field("paths", as: [[String: Any]].self)
        #expect(paths.map { $0["older_blocks"] as? Int } == [nil, 1, 2, 3, 4, 5, 6, 7])
        #expect(paths.map { $0["open_coins"] as? Int } == [nil, 1, 1, 1, 1, 0, 0, 0])
        let last = keys.suffix(2).map { "pk(\($0))" }.joined(separator: ",")
        #expect(paths.suffix(2).map { $0["choice"] as? String } == ["thresh(2,\(last))", "pk(\(keys[7]))"])
        let told = try await family.tell("wallet", "show", "family", "--offline")
        let words = "    7  \(keys[6]) and \(keys[7]), 6 blocks (about 60 minutes) after the coin was confirmed\n"
        #expect(told.contains(words), "\(told)")

        // Not before its time, then by the two who are left, and never earlier than the lock says.
        try await family.create("--path", "7").expectFailure(65, "cannot_build")
        try await family.create("--path", "9").expectFailure(65, "cannot_build")
        for _ in 0..<2 { try await family.node.mine() }
        let created = try await family.create("--path", "7", "--lock-time", "0").succeeded().json()
        #expect(created["policies_omitted"] == nil)
        let id = try created.text("id")
        let half = try await family.run("tx", "sign", id, "--yes").succeeded().json()
        #expect(try half.field("complete") == false && half.field("missing") == 1)
        let signed = try await family.run("tx", "sign", id, "--yes", card: family.second).succeeded().json()
        #expect(try signed.field("complete") == true)
        let transaction = try Self.transaction(signed)
        #expect(transaction.inputs.map(\.sequence) == [6])
        #expect(transaction.virtualSize <= (try created.field("vsize", as: Int.self)))
        let tip = try await family.node.call("getbestblockhash", as: String.self)
        try await family.node.call("invalidateblock", tip)
        let early = try await family.reasonAgainst(transaction)
        #expect(early == "non-BIP68-final")
        try await family.node.call("reconsiderblock", tip)
        let reason = try await family.reasonAgainst(transaction)
        #expect(reason == nil)
        try await family.run("tx", "broadcast", id).succeeded()

        try await family.run("wallet", "kit", "family", "-o", "kit").succeeded()
        let due = try await family.run("status").succeeded().json().field("drills_due", as: [[String: Any]].self)
        #expect(due.map { $0["never_proven"] as? [Int] } == [Array(1...8)])
        try await family.node.stop()
    }

    /// Of taproot, whose paths are not put together, what cannot be done is said at once.
    @Test func taprootOfTooManyPathsIsTold() async throws {
        let first = try await Workshop()
        let holders = try (0..<9).map { try SampleWallet(seed: UInt8(60 + $0)) }
        let account = try DerivationPath(parsing: "m/86h/1h/0h")
        let keys = try holders.map { "[\($0.fingerprint)/86h/1h/0h]\(try $0.extendedKey(account).text)/<0;1>/*" }
        let parts = (0..<7).map { "or_c(pk(\(keys[$0])),v:older(\($0 + 1)))" }
        let conditions = parts.dropFirst().reduce(parts[0]) { "and_v(\($0),\($1))" }
        let descriptor = "tr(\(keys[8]),and_v(\(conditions),pk(\(keys[7]))))"
        func tapkit(_ arguments: String...) async throws -> Subprocess {
            try await first.tapkit(arguments, environment: ["TAPKIT_NETWORK": "regtest"])
        }
        let told = "The wallet has too many spending paths to list"
        let added = try await tapkit("wallet", "add", "many", descriptor).succeeded()
        #expect((added.text + added.errorText).contains(told), "\(added.text)")
        #expect(try await tapkit("wallet", "show", "many", "--offline").succeeded().text.contains(told))
        let shown = try await tapkit("wallet", "show", "many", "--offline", "--json").succeeded().json()
        #expect(try shown.field("paths", as: [[String: Any]].self).isEmpty)
        try await tapkit("wallet", "kit", "many", "-o", "kit", "--json").expectFailure(65, "not_supported")
    }

    /// The node's own wallet makes the same addresses of the descriptor.
    private func expectCoresAddresses(_ family: Family) async throws {
        try await family.node.makeWallet("watch")
        let requests = try family.descriptor.branches.enumerated().map { number, branch -> [String: Any] in
            [
                "desc": try #require(branch.text), "active": true, "internal": number == 1, "range": [0, 20],
                "timestamp": "now",
            ]
        }
        let answers = try await family.node.call(
            "importdescriptors", requests, wallet: "watch", as: [[String: Any]].self)
        #expect(answers.allSatisfy { $0["success"] as? Bool == true }, "\(answers)")
        for index in 0..<3 {
            let theirs = try await family.node.call("getnewaddress", "", "bech32", wallet: "watch", as: String.self)
            let ours = try await family.run("wallet", "receive", "family", "--index", "\(index)").succeeded().json()
            #expect(try ours.text("address") == theirs)
            let change = try await family.node.call("getrawchangeaddress", "bech32", wallet: "watch", as: String.self)
            let script = try family.descriptor.spending(branch: 1, index: UInt32(index)).scriptPubKey
            #expect(try Address(parsing: change, network: .regtest).scriptPubKey == script)
        }
    }

    /// The node's own wallet has the third key: it finds in the PSBT all that it needs, signs, and finalizes as we do.
    private func expectCoreSigns(_ text: String, _ family: Family) async throws {
        try await family.node.makeWalletWithKeys("software")
        let key = try SampleWallet(seed: 77).master.descendant(DerivationPath(parsing: "m/48h/1h/0h/2h"))
        var requests: [[String: Any]] = []
        for branch in family.descriptor.branches {
            let known = try #require(branch.text?.split(separator: "#").first)
            let own = known.replacing(key.neutered.text, with: key.text)
            #expect(own != known)
            let told = try await family.node.call("getdescriptorinfo", "\(own)", as: [String: Any].self)
            requests.append(["desc": "\(own)#\(try told.text("checksum"))", "range": [0, 20], "timestamp": "now"])
        }
        let answers = try await family.node.call(
            "importdescriptors", requests, wallet: "software", as: [[String: Any]].self)
        #expect(answers.allSatisfy { $0["success"] as? Bool == true }, "\(answers)")
        let signed = try await family.node.call(
            "walletprocesspsbt", text, true, "ALL", true, false, wallet: "software", as: [String: Any].self)
        let whole = try await family.node.call("finalizepsbt", signed.text("psbt"), as: [String: Any].self)
        #expect(whole["complete"] as? Bool == true, "\(whole)")
        let theirs = try Transaction(serialized: Hex.decode(whole.text("hex")))
        var ours = try PSBT(fileContent: Array(signed.text("psbt").utf8))
        #expect(try ours.finalizeInputs() == [.finalized])
        #expect(ours.inputs.map(\.finalWitness) == theirs.inputs.map(\.witness))
        let reason = try await family.reasonAgainst(theirs)
        #expect(reason == nil)
    }

    /// Nobody can turn the witness into another one that the network takes, or that tapkit does.
    private func expectNoOtherWitness(_ signed: [String: Any], _ family: Family) async throws {
        let transaction = try Self.transaction(signed)
        var psbt = try PSBT(fileContent: Array(signed.text("psbt").utf8))
        #expect(psbt.inputs[0].finalWitness == transaction.inputs[0].witness)
        let witness = transaction.inputs[0].witness
        var others = witness.indices.dropLast().map { place in
            var other = witness
            other[place] = witness[place].isEmpty ? [1] : []
            return other
        }
        others += [
            Array(witness.dropFirst()), [[]] + witness, Array(witness.dropLast().reversed()) + [witness.last ?? []],
        ]
        for other in others where other != witness {
            var changed = transaction
            changed.inputs[0].witness = other
            #expect(try await family.reasonAgainst(changed) != nil)
            psbt[input: 0].finalWitness = other
            let text = String(decoding: Base64.encodeUTF8(psbt.serialized()), as: UTF8.self)
            let file = try family.first.folder.write(text, to: "other.psbt")
            try await family.run("tx", "import", file).expectFailure(65, "bad_psbt")
            if other == others[0] { try await family.run("sign", file, "--yes").expectFailure(65, "refused") }
        }
    }
}

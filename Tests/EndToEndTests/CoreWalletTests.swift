import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// A real node's watch-only wallet from `tapkit export core`: it finds the money, makes PSBTs for cards, and takes them back.
@Suite(.fewAtATime) struct CoreWalletTests {
    /// Somebody else's address.
    private static let stranger = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"
    private static let regtest = ["--network", "regtest"]

    /// A node's wallet that watches what `tapkit` exported.
    private struct CoreWallet: Sendable {
        let node: BitcoinNode
        let name: String
        /// What it calls the type of its addresses.
        let type: String

        /// - Parameter export: the file, as `tapkit` wrote it.
        init(_ name: String, _ type: String, watching export: String, on node: BitcoinNode) async throws {
            (self.node, self.name, self.type) = (node, name, type)
            try await node.makeWallet(name)
            let requests = try JSONSerialization.jsonObject(with: Data(export.utf8))
            let answers = try await node.call("importdescriptors", requests, wallet: name, as: [[String: Any]].self)
            #expect(answers.count == 2 && answers.allSatisfy { $0["success"] as? Bool == true }, "\(answers)")
            #expect(answers.allSatisfy { $0["warnings"] == nil }, "\(answers)")
        }

        func call(_ method: String, _ parameters: Any...) async throws -> [String: Any] {
            let answer = try await node.calls(method, [parameters], wallet: name)
            if let error = answer.first as? NodeError { throw error }
            return try #require(answer.first as? [String: Any])
        }

        /// Expects that it gives out the addresses that `tapkit` does, the first ones and change.
        func expectAddresses(_ wallet: String, of workshop: Workshop) async throws {
            for index in 0..<3 {
                let own = try await node.call("getnewaddress", "", type, wallet: name, as: String.self)
                let ours = try await workshop.tapkit("wallet", "receive", wallet, "--index", "\(index)", "--json")
                    .succeeded().json()
                #expect(own == (try ours.text("address")))
            }
        }

        /// Pays an address that it gave out, in two coins, each in a transaction of its own.
        func fund() async throws {
            let address = try await node.call("getnewaddress", "", type, wallet: name, as: String.self)
            let script = try Address(parsing: address, network: .regtest).scriptPubKey
            for _ in 0..<2 { try await node.fund(script, try #require(Amount(satoshis: 100_000))) }
            try await node.mine()
            #expect(try await balance() == 200_000)
        }

        func balance() async throws -> Int64 {
            try await call("getbalances").field("mine", as: [String: Any].self).satoshis("trusted")
        }

        /// A PSBT that pays a stranger, Base64, and its fee.
        func makePSBT() async throws -> (psbt: String, fee: Int64) {
            let made = try await call(
                "walletcreatefundedpsbt", [], [[CoreWalletTests.stranger: "0.0015"]], 0,
                ["fee_rate": 3, "change_type": type])
            return (try made.text("psbt"), try made.satoshis("fee"))
        }

        /// What the node says of a PSBT: whose turn it is, and of how many keys it misses a signature.
        struct Analysis: Equatable {
            var next: String
            var missing = 0
        }

        func analysis(of psbt: String) async throws -> Analysis {
            let analysis = try await call("analyzepsbt", psbt)
            let inputs = try analysis.field("inputs", as: [[String: Any]].self)
            #expect(inputs.allSatisfy { $0["has_utxo"] as? Bool == true })
            let missing = inputs.compactMap { ($0["missing"] as? [String: Any])?["signatures"] as? [Any] }
            return Analysis(next: try analysis.text("next"), missing: missing.reduce(0) { $0 + $1.count })
        }

        /// Has the node finalize a PSBT, and expects that it takes what comes of it, into a block.
        /// - Returns: the transaction.
        func finish(_ psbt: String, fee: Int64) async throws -> Transaction {
            let final = try await call("finalizepsbt", psbt)
            #expect(final["complete"] as? Bool == true)
            let transaction = try Transaction(serialized: Hex.decode(try final.text("hex")))
            #expect(try await node.refusal(of: transaction) == nil)
            try await node.send(transaction)
            try await node.mine()
            #expect(try await !node.mempool().contains(transaction.id))
            #expect(try await balance() == 50_000 - fee)
            return transaction
        }
    }

    /// Signs a PSBT and leaves the finalizing to others.
    private func sign(
        _ psbt: String, with workshop: Workshop, _ environment: [String: String?] = [:]
    ) async throws -> [String: Any] {
        try await workshop.tapkit(
            ["sign", "-", "--no-finalize", "--yes", "--json"] + Self.regtest, input: Data(psbt.utf8),
            environment: environment
        ).succeeded().json()
    }

    /// The same PSBT in another version, Base64.
    private func convert(_ psbt: String, to version: PSBT.Version) throws -> String {
        let converted = try PSBT(fileContent: Array(psbt.utf8)).converted(to: version)
        return String(decoding: converted.encoded(as: .base64), as: UTF8.self)
    }

    @Test(arguments: [
        ("m/84h/1h/0h", "bech32"), ("m/49h/1h/0h", "p2sh-segwit"), ("m/44h/1h/0h", "legacy"),
    ])
    func aCardsAccount(_ path: String, _ type: String) async throws {
        let (workshop, node) = (try await Workshop(), try await BitcoinNode.shared())
        try await workshop.tapkit("derive", path).succeeded()
        let export = try await workshop.tapkit(["export", "core"] + Self.regtest).succeeded().text
        let core = try await CoreWallet("CoreWalletTests \(type)", type, watching: export, on: node)
        try await workshop.tapkit(["wallet", "add", "own"] + Self.regtest).succeeded()
        try await core.expectAddresses("own", of: workshop)
        try await core.fund()
        let (psbt, fee) = try await core.makePSBT()
        #expect(try await core.analysis(of: psbt) == CoreWallet.Analysis(next: "signer", missing: 2))
        let signed = try await sign(psbt, with: workshop)
        #expect(signed["signed"] as? Int == 2 && signed["complete"] as? Bool == true)
        #expect(try signed.field("fee_sat", as: Int64.self) == fee)
        #expect(try signed.field("warnings", as: [Any].self).isEmpty)
        let text = try signed.text("psbt")
        #expect(try await core.analysis(of: text) == CoreWallet.Analysis(next: "finalizer"))
        let transaction = try await core.finish(text, fee: fee)
        #expect(Hex.encode(transaction.serialized()) == (try signed.text("tx")))
    }

    /// Two cards of three cosigners: each signs for itself, one of them in version 2, and the node combines.
    @Test func aWalletOfTwoCards() async throws {
        let (first, second, node) = (try await Workshop(), try await Workshop(), try await BitcoinNode.shared())
        let third = try SampleWallet(seed: 77)
        let path = try DerivationPath(parsing: "m/48h/1h/0h/2h")
        var keys = ["\(KeyOrigin(fingerprint: third.fingerprint, path: path))\(try third.extendedKey(path).text)"]
        for card in [first, second] {
            try await card.tapkit("derive", "\(path)").succeeded()
            keys.append(try await card.tapkit("export", "cosigner").succeeded().text.split(separator: "\n").joined())
        }
        let descriptor = "wsh(sortedmulti(2,\(keys.map { "\($0)/<0;1>/*" }.joined(separator: ","))))"
        for card in [first, second] {
            try await card.tapkit(["wallet", "add", "ours", descriptor] + Self.regtest).succeeded()
        }
        let export = try await first.tapkit("export", "core", "--wallet", "ours").succeeded().text
        let core = try await CoreWallet("CoreWalletTests shared", "bech32", watching: export, on: node)
        try await core.expectAddresses("ours", of: first)
        try await core.fund()

        let (psbt, fee) = try await core.makePSBT()
        let half = try await sign(psbt, with: first)
        #expect(half["complete"] as? Bool == false && half["signed"] as? Int == 2)
        // Nodes read and write version 0 only, so far: when this one reads version 2, it shall have what the card signed.
        await #expect(throws: NodeError.self) { try await node.call("decodepsbt", try convert(psbt, to: .v2)) }
        let other = try await sign(try convert(psbt, to: .v2), with: second)
        #expect(other["complete"] as? Bool == false && other["signed"] as? Int == 2)
        #expect(try PSBT(fileContent: Array(try other.text("psbt").utf8)).version == .v2)
        let halves = [try half.text("psbt"), try convert(try other.text("psbt"), to: .v0)]
        for text in halves {
            // One of the two others must sign each input.
            #expect(try await core.analysis(of: text) == CoreWallet.Analysis(next: "signer", missing: 4))
            #expect(try await core.call("finalizepsbt", text)["complete"] as? Bool == false)
        }
        let combined = try await node.call("combinepsbt", halves, as: String.self)
        #expect(try await core.analysis(of: combined) == CoreWallet.Analysis(next: "finalizer"))
        let transaction = try await core.finish(combined, fee: fee)
        // The second card finds the same in its own and the first one's half.
        let both = try await sign(try half.text("psbt"), with: second)
        #expect(Hex.encode(transaction.serialized()) == (try both.text("tx")))
    }
}

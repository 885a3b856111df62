import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// Debian's Electrum opens what `tapkit export electrum` writes, over the real ElectrumX, and makes PSBTs that cards sign.
@Suite(.serialized, .fewAtATime) struct ElectrumExportTests {
    private static let stranger = Script([0, 20] + [UInt8](repeating: 7, count: 20))
    private static let funds: Int64 = 1_000_000
    private static let payment: Int64 = 300_000
    private static let network = ["--network", "regtest"]

    /// The node and the server over it.
    private struct Stand {
        let chain: BitcoinNode
        let server: ElectrumXServer

        init() async throws {
            chain = try await BitcoinNode.start()
            server = try await ElectrumXServer.start(over: chain)
        }

        func mine() async throws {
            try await chain.mine()
            try await server.waitUntilSynced()
        }

        func stop() async throws {
            try await server.stop()
            try await chain.stop()
        }
    }

    /// Expects that Electrum shows a descriptor's addresses, and pays to the first.
    private func fund(_ electrum: ElectrumWallet, _ text: String, on stand: Stand) async throws {
        let descriptor = try Descriptor(parsing: text, requiresChecksum: true)
        for branch in 0...1 {
            let expected = try (0..<10).map { index -> String in
                let script = try descriptor.script(branch: branch, index: UInt32(index))
                return try #require(Address(scriptPubKey: script, network: .regtest)).description
            }
            // It looks ahead 20 addresses, and 10 for change.
            #expect(try await electrum.addresses(isChange: branch == 1).prefix(10) == expected[...])
        }
        _ = try await stand.chain.fund(
            try descriptor.script(), try #require(Amount(satoshis: Self.funds)))
        try await stand.mine()
        try await electrum.waitForBalance(Self.funds)
    }

    /// Has Electrum make a PSBT that pays a stranger.
    private func pay(_ electrum: ElectrumWallet) async throws -> PSBT {
        let address = try #require(Address(scriptPubKey: Self.stranger, network: .regtest))
        let text = try await electrum.psbt(paying: address.description, "0.003")
        let psbt = try PSBT(fileContent: Array(text.utf8))
        #expect(psbt.outputs.count == 2)
        return psbt
    }

    /// Expects that Electrum finds a signed PSBT complete, sends it, and sees it mined.
    ///
    /// It gets the PSBT with signatures that are not finalized yet: it takes native segwit inputs that others finalized for
    /// unsigned (its issue 10986), and the whole transaction for what it is.
    private func send(
        _ signed: [String: Any], of workshop: Workshop, by electrum: ElectrumWallet, on stand: Stand
    ) async throws {
        try await Judges.expectValid(signed)
        let list = try await workshop.tapkit("tx", "list", "--json").succeeded().json()
        let stored = try #require(try list.field("transactions", as: [[String: Any]].self).first)
        let psbt = try await workshop.tapkit("tx", "export", try stored.text("id")).succeeded().text
        let (isComplete, hex) = try await electrum.complete(psbt.split(separator: "\n").joined())
        #expect(isComplete)
        #expect(hex == (try signed.text("tx")))
        let id = try await electrum.broadcast(hex)
        #expect(id == (try signed.text("txid")))
        try await stand.server.waitUntilSynced()
        try await stand.mine()
        let fee = Int64(try signed.field("fee_sat", as: Int.self))
        try await electrum.waitForBalance(Self.funds - Self.payment - fee)
    }

    @Test(arguments: ["m/84h/1h/0h", "m/49h/1h/3h", "m/44h/1h/0h"]) func aCardsAccount(_ path: String) async throws {
        let (workshop, stand) = (try await Workshop(), try await Stand())
        try await workshop.tapkit("derive", path).succeeded()
        let export = try await workshop.tapkit(
            ["export", "electrum", "-o", "wallet.json", "--json"] + Self.network
        ).succeeded().json()
        #expect(try export.text("file") == "wallet.json" && export.text("format") == "electrum")
        let electrum = try await ElectrumWallet.open(workshop.folder.path("wallet.json"), server: stand.server)
        let descriptor = try #require(try export.field("descriptors", as: [String].self).first)
        try await fund(electrum, descriptor, on: stand)

        let psbt = try await pay(electrum)
        let origins = psbt.inputs[0].derivations.map(\.origin)
        #expect(origins.map { "\($0.path)" } == ["\(path)/0/0"])
        #expect(origins.map(\.fingerprint.description) == [try export.text("fingerprint")])
        try Data(psbt.serialized()).write(to: workshop.folder.url.appendingPathComponent("tx.psbt"))
        let signed = try await workshop.tapkit(
            ["sign", "tx.psbt", "--no-finalize", "--yes", "--json"] + Self.network
        ).succeeded().json()
        #expect(signed["complete"] as? Bool == true && signed["signed"] as? Int == 1)
        let written = try workshop.psbt("tx.signed.psbt")
        #expect(written.inputs.allSatisfy { $0.partialSignatures.count == 1 && !$0.isFinal })
        let (isTaken, transaction) = try await electrum.complete(Base64.encode(written.serialized()))
        #expect(isTaken)
        #expect(transaction == (try signed.text("tx")))
        #expect(try signed.field("warnings", as: [Any].self).isEmpty)
        let outputs = try signed.field("outputs", as: [[String: Any]].self)
        #expect(outputs.count { $0["change"] as? Bool == true } == 1)
        try await send(signed, of: workshop, by: electrum, on: stand)
        try await electrum.stop()
        try await stand.stop()
    }

    @Test func aWalletOfTwoCards() async throws {
        let (first, second, stand) = (try await Workshop(), try await Workshop(), try await Stand())
        let path = "m/48h/1h/0h/2h"
        var keys: [String] = []
        for card in [first, second] {
            try await card.tapkit("derive", path).succeeded()
            keys.append(try await card.tapkit("export", "cosigner").succeeded().text.split(separator: "\n").joined())
        }
        let descriptor = "wsh(sortedmulti(2,\(keys.map { "\($0)/<0;1>/*" }.joined(separator: ","))))"
        let added = try await first.tapkit(["wallet", "add", "ours", descriptor, "--json"] + Self.network)
            .succeeded().json()
        let text = try #require(try added.field("descriptors", as: [String].self).first)
        try await first.tapkit("export", "electrum", "--wallet", "ours", "-o", "wallet.json").succeeded()
        let electrum = try await ElectrumWallet.open(first.folder.path("wallet.json"), server: stand.server)
        try await fund(electrum, text, on: stand)

        let psbt = try await pay(electrum)
        #expect(Set(psbt.inputs[0].derivations.map { "\($0.origin.path)" }) == ["\(path)/0/0"])
        try Data(psbt.serialized()).write(to: first.folder.url.appendingPathComponent("tx.psbt"))
        // Electrum names the cosigners' extended keys only in the files that it exports for hardware; the store's wallet has them.
        let sign = { ["sign", $0, "-o", $1, "--yes", "--json"] + Self.network }
        let half = try await first.tapkit(sign("tx.psbt", "half.psbt")).succeeded().json()
        #expect(half["complete"] as? Bool == false && half["signed"] as? Int == 1)
        let signed = try await first.tapkit(
            sign("half.psbt", "signed.psbt"),
            environment: second.environment.filter { ["TAPKIT_READER", "TAPKIT_ROOT_KEY"].contains($0.key) }
        ).succeeded().json()
        #expect(signed["complete"] as? Bool == true)
        try await send(signed, of: first, by: electrum, on: stand)
        try await electrum.stop()
        try await stand.stop()
    }
}

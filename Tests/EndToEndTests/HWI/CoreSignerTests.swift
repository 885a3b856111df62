import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// Bitcoin Core's calls of an external signer, with a card behind a real `pcscd`.
@Suite(.fewAtATime) struct CoreSignerTests {
    /// Somebody else's address.
    private static let stranger = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"
    /// The types of address that the card can sign for, by Core's names.
    private static let types: [(name: String, kind: SampleWallet.Kind)] = [
        ("bech32", .p2wpkh), ("p2sh-segwit", .p2shP2WPKH), ("legacy", .p2pkh),
    ]

    private static func script(_ address: String) throws -> Script {
        try Address(parsing: address, network: .regtest).scriptPubKey
    }

    /// A real node's wallet, from `enumeratesigners` to payments in blocks.
    @Test func aNodeSpendsWhatTheCardHolds() async throws {
        let workshop = try await Workshop()
        let sandbox = try await PCSCSandbox(card: workshop.cardFile)
        let signer = try ExternalSigner(workshop, in: sandbox)
        let node = try await BitcoinNode.start([signer.option])
        let keys = try await workshop.wallet()
        let found = try await node.call("enumeratesigners", as: [String: Any].self)
        #expect(
            found["signers"] as? [[String: String]] == [
                ["fingerprint": "\(keys.fingerprint)", "name": "tapsigner"]
            ])
        let wallet = try await SignerWallet.make("card", on: node)

        for (type, kind) in Self.types {
            for index in 0..<2 {
                let (address, shown) = try await wallet.newAddress(type)
                let key = try keys.publicKey(keys.path(kind, branch: 0, index: UInt32(index)))
                #expect(try Self.script(address) == SampleWallet.script(kind, key))
                #expect(shown == address)
                try await node.fund(try Self.script(address), try #require(Amount(satoshis: 100_000)))
            }
        }
        try await node.mine()
        #expect(try await wallet.balance() == SignerWallet.Balance(confirmed: 600_000))

        // Each type pays, with change of its own type, and pays more; the card signs twice.
        var spent: Int64 = 0
        for (type, kind) in Self.types {
            let coins = try await node.call("listunspent", wallet: wallet.name, as: [[String: Any]].self)
            let own = try coins.filter {
                let paid = Script(try Hex.decode(try $0.text("scriptPubKey")))
                return try (0..<2).contains {
                    paid == SampleWallet.script(kind, try keys.publicKey(keys.path(kind, branch: 0, index: $0)))
                }
            }
            #expect(own.count == 2)
            let inputs = try own.map { ["txid": try $0.text("txid"), "vout": try $0.field("vout", as: Int.self)] }
            let sent = try await node.call(
                "send",
                [
                    "outputs": [[Self.stranger: "0.0015"]], "fee_rate": 2,
                    "options": ["inputs": inputs, "change_type": type],
                ], wallet: wallet.name, as: [String: Any].self)
            #expect(sent["complete"] as? Bool == true)
            let first = try await wallet.transaction(sent.text("txid"))
            let bumped = try await node.call(
                "bumpfee", ["txid": sent.text("txid"), "options": ["fee_rate": 9]], wallet: wallet.name,
                as: [String: Any].self)
            #expect(bumped["errors"] as? [String] == [])
            let second = try await wallet.transaction(bumped.text("txid"))
            #expect(second.fee > first.fee && second.transaction.inputs.count == 2)
            #expect(try await node.mempool() == [second.transaction.id])
            let change = second.transaction.outputs.map(\.scriptPubKey).filter {
                (try? Self.script(Self.stranger)) != $0
            }
            let key = try keys.publicKey(keys.path(kind, branch: 1, index: 0))
            #expect(change == [SampleWallet.script(kind, key)])
            try await node.mine()
            spent += 150_000 + second.fee
            #expect(try await wallet.balance() == SignerWallet.Balance(confirmed: 600_000 - spent))
        }

        // The three changes go together.
        let drained = try await node.call(
            "sendall", ["recipients": [Self.stranger], "fee_rate": 3], wallet: wallet.name, as: [String: Any].self)
        #expect(drained["complete"] as? Bool == true)
        let all = try await wallet.transaction(drained.text("txid"))
        #expect(all.transaction.inputs.count == 3)
        #expect(all.transaction.outputs.map(\.value) == [600_000 - spent - all.fee])
        #expect(try await node.mempool() == [all.transaction.id])
        try await node.mine()
        #expect(try await node.mempool().isEmpty)
        #expect(try await wallet.balance() == SignerWallet.Balance(confirmed: 0))
        // Moved to each account and back.
        #expect(try await workshop.cardPath() == "m/84h/1h/0h")
        try await node.stop()
        withExtendedLifetime(sandbox) {}
    }

    /// The networks on which nothing can be mined here: their nodes have the first block, and wallets.
    @Test(arguments: [Network.test, .testnet4, .signet]) func everyNetworksNodeKnowsTheCard(
        _ network: Network
    ) async throws {
        let workshop = try await Workshop()
        let signer = try ExternalSigner(workshop)
        let node = try await BitcoinNode.startAlone(on: network, [signer.option])
        let keys = try await workshop.wallet()
        let wallet = try await SignerWallet.make("card", on: node)
        for (type, kind) in Self.types {
            let (address, shown) = try await wallet.newAddress(type)
            let key = try keys.publicKey(keys.path(kind, branch: 0, index: 0))
            let wanted = try #require(Address(scriptPubKey: SampleWallet.script(kind, key), network: network))
            #expect(shown == "\(wanted)" && address == shown)
        }
        #expect(signer.calls.contains { $0.contains("--chain \(network) getdescriptors --account 0") })
        try await node.stop()
    }

    /// The node says that the card does not sign; why, it writes to its own standard error.
    @Test func aNodeSaysWhyTheCardDoesNotSign() async throws {
        let workshop = try await Workshop()
        let signer = try ExternalSigner(workshop)
        let node = try await BitcoinNode.start([signer.option])
        let wallet = try await SignerWallet.make("card", on: node)
        let (address, _) = try await wallet.newAddress("bech32")
        try await node.fund(try Self.script(address), try #require(Amount(satoshis: 100_000)))
        try await node.mine()
        func expectRefusal(_ words: String, _ feeRate: Int) async throws {
            let error = await #expect(throws: NodeError.self) {
                try await node.call(
                    "send", ["outputs": [[Self.stranger: "0.0005"]], "fee_rate": feeRate], wallet: wallet.name)
            }
            #expect(error == NodeError(code: -25, message: "External signer failed to sign"))
            let answer = try #require(signer.answers.last)
            #expect(answer.contains("\"error\":") && answer.contains(words), "\(answer)")
        }
        // A fee beyond tapkit's bound, with nobody there who could be asked.
        try await expectRefusal("fee", 300)
        try workshop.folder.write("000000\n", to: "cvc")
        try await expectRefusal("CVC", 2)
        #expect(try await node.mempool().isEmpty)
        // A card that is away is no signer.
        try FileManager.default.moveItem(atPath: workshop.cardFile, toPath: workshop.cardFile + ".away")
        let away = await #expect(throws: NodeError.self) {
            try await node.call("walletdisplayaddress", address, wallet: wallet.name)
        }
        #expect(away?.message.contains("No external signers found") == true, "\(String(describing: away))")
        try await node.stop()
    }

    /// Core gives up when one of the signers has an error, and unless there is exactly one.
    @Test func aCardThatCoreCouldNotUseIsLeftOut() async throws {
        let (known, fresh) = (try await Workshop(), try await Workshop(isSetUp: false))
        let gift = try await Workshop.satscard("--network", "test")
        let sandbox = try await PCSCSandbox(card: known.cardFile, fresh.cardFile, gift.cardFile)
        let environment = known.environment.merging(["TAPKIT_READER": nil, "TAPKIT_CVC_FILE": nil]) { $1 }
        let listed = try await sandbox.run(
            Subprocess.tapkit, ["hwi", "enumerate"], environment: environment, directory: known.folder.url
        ).succeeded()
        let signers = try #require(try JSONSerialization.jsonObject(with: listed.output) as? [[String: Any]])
        #expect(signers.count == 1 && signers.first?["label"] as? String == known.ident)
        #expect(signers.first?["error"] == nil)
        #expect(
            listed.errorText.contains("\(fresh.ident) (SIMULATED) is left out") && listed.errorText.contains(gift.ident)
        )

        // Another store knows no fingerprint: the card is left out until its CVC is given once.
        let elsewhere = environment.merging(["TAPKIT_DATA_DIR": known.folder.path("elsewhere")]) { $1 }
        let unknown = try await sandbox.run(
            Subprocess.tapkit, ["hwi", "enumerate"], environment: elsewhere, directory: known.folder.url
        ).succeeded()
        #expect(unknown.text == "[]\n" && unknown.errorText.contains("fingerprint is not known yet"))
        for _ in 0..<2 {
            let found = try await sandbox.run(
                Subprocess.tapkit, ["hwi", "--cvc-file", "cvc", "enumerate"], environment: elsewhere,
                directory: known.folder.url
            ).succeeded()
            #expect(found.text.contains("\"fingerprint\":\"\(try await known.wallet().fingerprint)\""))
        }
        let remembered = try await sandbox.run(
            Subprocess.tapkit, ["hwi", "enumerate"], environment: elsewhere, directory: known.folder.url
        ).succeeded()
        #expect(remembered.text.contains(known.ident))
    }
}

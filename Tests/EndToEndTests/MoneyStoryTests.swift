import Bitcoin
import Foundation
import TestSupport
import Testing

/// From a SATSCARD to a wallet of two TAPSIGNERs and out again: three cards behind one real `pcscd`, over the real
/// ElectrumX and a real node.
@Suite struct MoneyStoryTests {
    /// Runs `tapkit` beside the cards, with the server as its chain.
    private struct CommandLineAtReader: Sendable {
        let sandbox: PCSCSandbox
        let folder: URL
        let environment: [String: String?]

        func callAsFunction(_ arguments: String...) async throws -> [String: Any] {
            try await sandbox.run(
                Subprocess.tapkit, arguments + ["--json"], environment: environment, directory: folder
            ).succeeded().json()
        }
    }

    @Test func aGiftBecomesASharedWalletAndIsSpent() async throws {
        let gift = try await Workshop.satscard("--network", "test")
        let (first, second) = (try await Workshop(), try await Workshop())
        let chain = try await BitcoinNode.start()
        let electrum = try await ElectrumXServer.start(over: chain)
        let sandbox = try await PCSCSandbox(card: gift.cardFile, first.cardFile, second.cardFile)
        let relay = try await Relay(to: electrum.port, from: sandbox)
        try gift.folder.write(
            "\(gift.ident.prefix(11)) \(Workshop.satscardCVC)\n\(Workshop.printedCVC)\n", to: "cvcs")
        let tapkit = CommandLineAtReader(
            sandbox: sandbox, folder: gift.folder.url,
            environment: gift.environment.merging([
                "TAPKIT_READER": "pcsc", "TAPKIT_ROOT_KEY": gift.rootKey, "TAPKIT_NETWORK": "regtest",
                "TAPKIT_CHAIN": "electrum:127.0.0.1:\(Relay.port):t", "TAPKIT_CVC_FILE": nil,
            ]) { $1 })
        defer { withExtendedLifetime(relay) {} }

        // Somebody pays to the SATSCARD.
        let giftCVC = ["--card", gift.ident, "--cvc-file", "cvc"]
        let address = try await tapkit("address", "--card", gift.ident).text("address")
        let script = try Address(parsing: address, network: .regtest).scriptPubKey
        _ = try await chain.fund(script, try #require(Amount(satoshis: 1_000_000)))
        try await electrum.waitUntilSynced()
        let waiting = try await tapkit("slots", "--balance", "--card", gift.ident)
        #expect(waiting["total_sat"] as? Int == 1_000_000)
        let slot = try #require((waiting["slots"] as? [[String: Any]])?.first)
        #expect(slot["unconfirmed_sat"] as? Int == 1_000_000 && slot["confirmed_sat"] as? Int == 0)
        try await chain.mine()
        try await electrum.waitUntilSynced()

        // The two TAPSIGNERs make a wallet.
        try gift.folder.write(Workshop.printedCVC + "\n", to: "signers")
        let wallet = try await tapkit("wallet", "add", "ours", "--threshold", "2", "--cvc-file", "signers")
        let descriptor = try #require((wallet["descriptors"] as? [String])?.first)
        #expect(descriptor.hasPrefix("wsh(sortedmulti(2,["))
        let receive = try await tapkit("wallet", "receive", "ours").text("address")

        // The gift is opened for it, and sent there.
        let sweep = try await tapkit(
            "sweep", "--to", receive, "--slot", "1", "--fee-rate", "2", "--broadcast", "--yes", giftCVC[0], giftCVC[1],
            giftCVC[2], giftCVC[3])
        #expect(sweep["complete"] as? Bool == true && sweep["sent"] as? Bool == true)
        let swept = try sweep.text("txid")
        try await Judges.expectValid(sweep)
        #expect(try await tapkit("slots", "--card", gift.ident).slotState(1) == "unsealed")
        try await electrum.waitUntilSynced()
        try await chain.mine()
        try await electrum.waitUntilSynced()
        let synced = try await tapkit("wallet", "sync", "ours")
        let funds = try synced.field("confirmed_sat", as: Int.self)
        #expect(funds == 1_000_000 - (try sweep.field("fee_sat", as: Int.self)))

        // Both sign what leaves it.
        let stranger = try #require(
            Address(scriptPubKey: Script([0, 20] + [UInt8](repeating: 7, count: 20)), network: .regtest))
        let created = try await tapkit(
            "tx", "create", "--wallet", "ours", "--to", "\(stranger)=0.003btc", "--fee-rate", "3.5")
        let id = try created.text("id")
        #expect(created["state"] as? String == "unsigned")
        let outputs = try created.field("outputs", as: [[String: Any]].self)
        #expect(outputs.count { $0["change"] as? Bool == true } == 1)
        let signed = try await tapkit("tx", "sign", id, "--yes", "--cvc-file", "signers")
        #expect(signed["complete"] as? Bool == true && signed["signed"] as? Int == 2)
        #expect((signed["signers"] as? [Any])?.count == 2)
        try await Judges.expectValid(signed)
        let warnings = try signed.field("warnings", as: [[String: Any]].self)
        #expect(warnings.isEmpty, "\(warnings)")
        let sent = try await tapkit("tx", "broadcast", id).text("txid")
        try await electrum.waitUntilSynced()
        try await chain.mine()
        try await electrum.waitUntilSynced()

        // And it is on the chain.
        let history = try await tapkit("wallet", "history", "ours")
        let transactions = try history.field("transactions", as: [[String: Any]].self)
        #expect(transactions.compactMap { $0["txid"] as? String } == [sent, swept])
        #expect(transactions.allSatisfy { $0["confirmed"] as? Bool == true })
        #expect(transactions.first?["net_sat"] as? Int == -300_000 - (try created.field("fee_sat", as: Int.self)))
        try await electrum.stop()
        try await chain.stop()
    }
}

extension [String: Any] {
    /// The state of a slot in the answer of `slots`.
    fileprivate func slotState(_ number: Int) throws -> String? {
        try field("slots", as: [[String: Any]].self).first { $0["slot"] as? Int == number }?["state"] as? String
    }
}

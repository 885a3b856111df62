import Foundation
import TapManager
import TapSimulator
import Testing

/// A program that shows a wallet, its cards and its payments, made of nothing but what a program outside can see.
@Suite struct WalletWindowTests {
    @Test func aWalletIsShownLabelledPaidFromAndExported() async throws {
        let signer = try SimulatedCard(FrontEndTests.options(.tapsigner))
        let (person, ledger) = (Person([signer]), Ledger())
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).aes").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let manager = CardManager(
            store: .memory(), readers: [SimulatedBackend([person.reader])], chain: ChainServers(ledger),
            interaction: person, acceptedRoots: [try signer.record.rootKey], clock: UnixTime.now)
        let card = try await manager.card()
        _ = try await manager.setUp(card, SetupGoal(), backup: BackupFile(path: file, ident: card.ident))
        let path = try DerivationPath(parsing: "m/84h/1h/7h")
        let accounts = try await manager.accounts(at: [path], of: try await manager.card())
        let fingerprint = try #require(accounts.first).masterFingerprint
        let record = try manager.nameCard("\(card.ident)", "desk card")
        #expect(record.shownName == "desk card" && record.fingerprint == fingerprint && accounts[0].path == path)

        let added = try await manager.addWallet(named: "ours", of: .card(.any), network: .regtest)
        #expect(added.sharing.isEmpty && added.singleKeyCards.isEmpty)
        let first = try await manager.receivingAddress(of: added.wallet).address
        await ledger.pay(first, 50_000)
        let second = try await manager.receivingAddress(of: added.wallet).address
        await ledger.pay(second, 70_000)
        let chain = try await manager.synchronize(added.wallet)
        let overview = try manager.overview(of: added.wallet, chain)
        #expect(overview.confirmed.satoshis == 120_000 && overview.coins.count == 2 && overview.frozen.isEmpty)
        let history = WalletHistory(chain).entries.filter { !$0.paysOthers && $0.time == nil }
        #expect(Set(history.flatMap(\.payees)) == [first.scriptPubKey, second.scriptPubKey])
        #expect(try manager.overview(of: added.wallet, try manager.lastChain(of: added.wallet)).coins == overview.coins)
        let payee = try #require(Address(scriptPubKey: Script([0, 20] + [UInt8](7..<27)), network: .regtest))
        let label = Label(.address, "\(payee)", text: "rent")
        try await manager.save([label], to: added.wallet)
        let coin = try #require(overview.coins.first { $0.value.scriptPubKey == second.scriptPubKey }).key
        let payment = Payment(to: payee.scriptPubKey, amount: try #require(Amount(satoshis: 20_000)))
        let fee = FeeChoice.rate(try #require(FeeRate(satoshisPerKiloVirtualByte: 3_000)))
        let order = WalletOrder(payments: [payment], coins: [coin], fee: fee, lockTime: 90, note: "March")
        let stored = try await manager.prepare(order, from: added.wallet)
        #expect(stored.summary.wallet == "ours" && stored.summary.note == "March" && stored.summary.state == .unsigned)
        let review = try #require(manager.review(of: stored).review)
        #expect(review.inputs.map(\.outpoint) == [coin] && review.inputs.allSatisfy(\.isProven))
        #expect(try manager.labels(of: added.wallet) == [label] && review.labels == [payee: "rent"])
        #expect(review.lockTime == 90 && review.tally.threshold == 1)
        #expect((2...4).contains(review.fee.fee.satoshis / review.fee.virtualSize))
        #expect(try await manager.sign(stored.psbt, network: .regtest).result.transaction?.lockTime == 90)

        let export = try manager.export(added.wallet, as: ExportOrder(.descriptors))
        #expect(export.text.hasPrefix("wpkh([\(fingerprint)/84h/") && export.remarks.isEmpty)
        let ours = try await manager.export(try await manager.card(), as: ExportOrder(.descriptors, kind: .p2wpkh))
        #expect(ours.text.contains("[\(fingerprint)/84h/"))
    }
}

import CardReaders
import Foundation
import TapManager
import TapSimulator
import Testing

/// A second front end, made of nothing but what a program outside can see: what it writes itself is who is asked and how
/// events are shown.
@Suite struct FrontEndTests {
    /// Sets cards up, makes a wallet of three, is paid, signs with two of them laid down one after the other, one of which is
    /// taken away meanwhile, sends, sweeps a SATSCARD into the wallet, and tells everything by events.
    @Test func aProgramDoesEverything() async throws {
        let signers = try (0..<3).map { _ in try SimulatedCard(Self.options(.tapsigner)) }
        let satscard = try SimulatedCard(Self.options(.satscard))
        let person = Person(signers)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let ledger = Ledger()
        let manager = CardManager(
            store: .memory(),
            readers: [SimulatedBackend([person.reader]), PCSCBackend(nameContains: "a reader that is not there")],
            chain: ChainServers(ledger), interaction: person, patience: .limited(.seconds(20)),
            acceptedRoots: [try signers[0].record.rootKey],
            clock: { UnixTime(seconds: 1_800_000_000) })
        let window = Window(manager)

        for card in signers {
            person.reader.insert(card)
            let found = try await manager.card()
            let goal = try SetupGoal(path: DerivationPath(parsing: "m/48h/1h/0h/2h"))
            let setup = try await manager.setUp(
                found, goal, backup: BackupFile(path: "\(folder)/\(found.ident).aes", ident: found.ident))
            #expect(setup.isKeyNew && setup.backup != nil)
        }

        person.reader.insert(signers[0])
        let wallet = try await manager.addWallet(
            named: "ours", of: .cards(.any, threshold: 2, count: 3), network: .regtest
        ).wallet
        await ledger.pay(try await manager.receivingAddress(of: wallet).address, 500_000)
        let chain = try await manager.synchronize(wallet)
        #expect(try manager.overview(of: wallet, chain).confirmed.satoshis == 500_000)

        let payee = try #require(
            Address(scriptPubKey: Script([0x51, 0x20] + [UInt8](repeating: 7, count: 32)), network: .regtest))
        let order = WalletOrder(
            payments: [Payment(to: payee.scriptPubKey, amount: try #require(Amount(satoshis: 200_000)))])
        let stored = try await manager.prepare(order, from: wallet)
        person.takesTheCardAwayOnce()
        person.reader.insert(signers[0])
        let signing = try await manager.sign(stored.psbt, network: .regtest)
        #expect(signing.interruption == nil && signing.signers.count == 2)
        let signed = try #require(try manager.transaction(stored.id))
        let sent = try await manager.send(signed)
        #expect(sent.outputs.contains { $0.scriptPubKey == payee.scriptPubKey })

        person.reader.insert(satscard)
        let card = try await manager.card()
        let slot = try await manager.slot(nil, of: card, network: .regtest)
        await ledger.pay(slot.address, 70_000)
        let destination = try await manager.receivingAddress(of: wallet).address
        var generator = SystemRandomNumberGenerator()
        let sweep = try await manager.sweep(
            card, SweepOrder(.all, to: destination, isSent: true), using: &generator)
        #expect(sweep.signing.result.transaction != nil && sweep.signing.interruption == nil)

        let after = try await manager.synchronize(wallet)
        let balance = try manager.overview(of: wallet, after).confirmed.satoshis
        #expect((360_000..<370_000).contains(balance))
        let told = await window.close()
        #expect(told.filter { $0 == "card set up" }.count == 3)
        for word in ["card away", "card back", "2 of 2", "sent", "slot opened", "synchronized"] {
            #expect(told.contains(word), "\(told)")
        }
        #expect(manager.snapshot().wallets.map(\.stored.name) == ["ours"])
    }

    static func options(_ product: SimulatedProduct) -> SimulatedCardOptions {
        var options = SimulatedCardOptions(product: product)
        options.network = .test
        options.cvc = Person.printedCVC
        options.unluckyPercent = 0
        return options
    }
}

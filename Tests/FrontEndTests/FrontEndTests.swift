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
        let signers = try (1...3).map { try SimulatedCard(Self.options(.tapsigner, seed: $0)) }
        let satscard = try SimulatedCard(Self.options(.satscard))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (person, ledger) = (Person(signers), Ledger())
        let manager = CardManager(
            store: .memory(),
            readers: [SimulatedBackend([person.reader]), PCSCBackend(nameContains: "a reader that is not there")],
            chain: ChainServers(ledger), interaction: person, patience: .limited(.seconds(20)),
            acceptedRoots: [try signers[0].record.rootKey], clock: { UnixTime(seconds: 1_800_000_000) })
        let window = Window(manager)

        for card in signers {
            person.reader.insert(card)
            let found = try await manager.card()
            let goal = try SetupGoal(path: DerivationPath(parsing: "m/48h/1h/0h/2h"), chainCode: ChainCode(0..<32))
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
        let sent = try await manager.send(try #require(try manager.transaction(stored.id)))
        #expect(sent.outputs.contains { $0.scriptPubKey == payee.scriptPubKey })

        person.reader.insert(satscard)
        let card = try await manager.card()
        await ledger.pay(try await manager.slot(nil, of: card, network: .regtest).address, 70_000)
        let destination = try await manager.receivingAddress(of: wallet).address
        var generator = LoadedDice()
        let sweep = try await manager.sweep(card, SweepOrder(.all, to: destination, isSent: true), using: &generator)
        #expect(sweep.signing.result.transaction != nil && sweep.signing.interruption == nil)

        let after = try await manager.synchronize(wallet)
        #expect(try (360_000..<370_000).contains(manager.overview(of: wallet, after).confirmed.satoshis))
        let told = await window.close()
        #expect(told.filter { $0 == "card set up" }.count == 3)
        let words: Set = ["card away", "card back", "2 of 2", "sent", "slot opened", "synchronized"]
        #expect(words.isSubset(of: told), "\(told)")
        #expect(manager.snapshot().wallets.map(\.stored.name) == ["ours"])
    }

    static func options(_ product: SimulatedProduct, seed: UInt8 = 4) -> SimulatedCardOptions {
        var options = SimulatedCardOptions(product: product)
        (options.network, options.cvc, options.seed, options.unluckyPercent) = (.test, Person.printedCVC, [seed], 0)
        return options
    }

    /// What is drawn is the same in every run.
    struct LoadedDice: RandomNumberGenerator {
        private var state: UInt64 = 0
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            return state
        }
    }
}

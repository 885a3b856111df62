import Bitcoin
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Exports through the manager: what of a card or wallet is told, what is said of its path, and what is refused.
@Suite struct CardExportTests {
    private func bench(at path: String? = nil) async throws -> (CardManager, CardAtHand, ScriptedInteraction) {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        if let path {
            let manager = try bench.manager(ScriptedInteraction(cvc: FlowBench.cvc))
            _ = try await manager.derive(DerivationPath(parsing: path), on: manager.card())
        }
        let manager = try bench.manager(person)
        return (manager, try await manager.card(), person)
    }

    private func order(_ format: ExportFormat, _ kind: ScriptKind? = nil) -> ExportOrder {
        var order = ExportOrder(format)
        order.kind = kind
        return order
    }

    private func labelled(_ format: ExportFormat, _ label: String) -> ExportOrder {
        var order = ExportOrder(format)
        order.label = label
        return order
    }

    @Test func everyFormatOfACard() async throws {
        let (manager, card, person) = try await bench()
        for format in ExportFormat.allCases where format.isOfCards {
            let export = try await manager.export(card, as: ExportOrder(format))
            #expect(export.account?.path.description == "m/84h/1h/0h" && !export.text.isEmpty, "\(format)")
            #expect(export.descriptors.count == 1 && export.descriptors[0].hasPrefix("wpkh("), "\(format)")
            let remarks: [ExportRemark] =
                switch format {
                case .core: [.wholeChain]
                case .cosigner, .bsms: [.notForCosigners(try DerivationPath(parsing: "m/84h/1h/0h"))]
                default: []
                }
            #expect(export.remarks == remarks, "\(format)")
        }
        #expect(person.words.count { $0 == "signKeyRecord" } == 1)
        #expect(person.words.allSatisfy { ["cvc", "signKeyRecord"].contains($0) })
        var split = ExportOrder(.descriptors)
        split.isSplit = true
        #expect(try await manager.export(card, as: split).descriptors.count == 2)
        var core = ExportOrder(.core)
        core.start = .now
        #expect(try await manager.export(card, as: core).remarks.isEmpty)
        #expect(try await manager.export(card, as: labelled(.specter, "Mine")).text.contains("\"Mine\""))
    }

    @Test func aCosignersPathIsNoWalletsOwn() async throws {
        let (manager, card, _) = try await bench(at: "m/48h/1h/0h/2h")
        let path = try DerivationPath(parsing: "m/48h/1h/0h/2h")
        for format in [ExportFormat.electrum, .sparrow, .specter] {
            await #expect(throws: ExportError.cosignersPath(path)) {
                try await manager.export(card, as: order(format))
            }
            let export = try await manager.export(card, as: order(format, .p2wpkh))
            #expect(export.remarks == [.cosignersPath(path)])
        }
        #expect(try await manager.export(card, as: order(.descriptors)).remarks == [.cosignersPath(path)])
        #expect(try await manager.export(card, as: order(.cosigner)).remarks.isEmpty)
        #expect(try await manager.export(card, as: order(.bsms)).remarks.isEmpty)
        #expect(try await manager.export(card, as: order(.slip132)).text.hasPrefix("Vpub"))
    }

    @Test func aPathThatStandsForNothingIsSaid() async throws {
        let (manager, card, _) = try await bench(at: "m/1h")
        let path = try DerivationPath(parsing: "m/1h")
        let guessed = try await manager.export(card, as: order(.electrum))
        #expect(guessed.remarks == [.unusualPath(path, taken: .p2wpkh)] && guessed.descriptors[0].hasPrefix("wpkh("))
        let chosen = try await manager.export(card, as: order(.electrum, .p2pkh))
        #expect(chosen.remarks == [.unusualPath(path, taken: nil)] && chosen.descriptors[0].hasPrefix("pkh("))
        #expect(try await manager.export(card, as: order(.descriptors)).descriptors.count == 3)
        await #expect(throws: ExportError.noKind(path)) { try await manager.export(card, as: order(.slip132)) }
        await #expect(throws: ExportError.unusualPath(path, usual: try DerivationPath(parsing: "m/84h/1h/0h"))) {
            try await manager.export(card, as: order(.coldcard))
        }
        #expect(try await manager.export(card, as: order(.slip132, .p2shP2WPKH)).text.hasPrefix("upub"))
    }

    /// The card says where it stands: what a format cannot tell of that is refused before anybody is asked.
    @Test(arguments: [("m/1h", ExportFormat.slip132), ("m/1h", .coldcard), ("m/48h/1h/0h/2h", .electrum)])
    func aPathThatDoesNotFitIsRefusedBeforeTheCVC(_ path: String, _ format: ExportFormat) async throws {
        let (manager, card, person) = try await bench(at: path)
        await #expect(throws: ExportError.self) { try await manager.export(card, as: order(format)) }
        #expect(person.words.isEmpty)
    }

    /// What needs no card to be refused is refused before anybody is asked.
    @Test func whatMakesNoSenseIsRefusedBeforeTheCVC() async throws {
        let (manager, card, person) = try await bench()
        await #expect(throws: ExportError.multisigOnly) {
            try await manager.export(card, as: order(.coldcardMultisig))
        }
        let error = await #expect(throws: CardSearchError.self) {
            try await manager.export(card, as: order(.core), network: .main)
        }
        #expect(error?.code == .wrongNetwork)
        let record = labelled(.bsms, "two\nlines")
        await #expect(throws: ExportError.badText) { try await manager.export(card, as: record) }
        #expect(person.words.isEmpty)
    }

    @Test func aWalletOfTheStore() async throws {
        let bench = try WalletBench()
        let manager = CardManager(store: MemoryStore(), clock: { UnixTime(seconds: 7) })
        let text = try #require(bench.wallet.descriptors.first?.text)
        let wallet = try await manager.addWallet(named: "w", of: .parsing([text]), network: .regtest).wallet
        for format in [ExportFormat.coldcard, .cosigner] {
            #expect(throws: ExportError.cardsOnly) { try manager.export(wallet, as: order(format)) }
        }
        for format in [ExportFormat.bsms, .coldcardMultisig] {
            #expect(throws: ExportError.multisigOnly) { try manager.export(wallet, as: order(format)) }
        }
        let core = try manager.export(wallet, as: order(.core))
        #expect(core.remarks == [.wholeChain] && core.account == nil && core.descriptors == [text])
        #expect(try manager.export(wallet, as: order(.descriptors)).text == text + "\n")
    }

    /// When the first payment came is only the server's claim: Core and Specter must not miss an earlier one.
    @Test func noServerShortensTheScan() async throws {
        let store = MemoryStore()
        let manager = CardManager(store: store, clock: { UnixTime(seconds: 7) })
        let key = AccountKey(try ExportSamples.account("m/84h/0h/0h")).description
        let wallet = try await manager.addWallet(
            named: "w", of: .parsing(["wpkh(\(key)/<0;1>/*)"]), network: .main
        ).wallet
        let place = wallet.wallet.branches[0].place(0)
        let script = try wallet.wallet.script(at: place)
        let funding = try SampleWallet.funding(script, amount: 5_000, salt: 1)
        try store.save(
            WalletChain(
                network: .main, server: "s", height: 930_100, time: UnixTime(seconds: 7), hasHistory: true,
                areSpendsProven: true, scripts: [.init(place: place, script: script, isUsed: true)],
                transactions: [WalletTransaction(transaction: funding, id: funding.id, height: 930_000)], coins: []),
            of: wallet.stored, at: UnixTime(seconds: 7))
        let core = try manager.export(wallet, as: order(.core))
        #expect(core.remarks == [.wholeChain])
        #expect(try core.text.jsonObjects().map { $0["timestamp"] as? Int } == [0, 0])
        #expect(try manager.export(wallet, as: order(.specter)).text.jsonObject()["blockheight"] as? Int == 0)
        // Who knows the day can say it.
        var later = order(.core)
        later.start = .time(UnixTime(seconds: 9))
        #expect(try manager.export(wallet, as: later).text.jsonObjects().first?["timestamp"] as? Int == 9)
    }

    /// A wallet can have been used farther from the start than Core looks by default.
    @Test(
        arguments: [(0, 999), (2_000, 4_001), (600_000, 610_000), (999_999, 999_999), (.max, 999_999)]
            as [(UInt32, Int)])
    func coreWatchesWhatWasUsed(_ index: UInt32, _ last: Int) async throws {
        let store = MemoryStore()
        let manager = CardManager(store: store, clock: { UnixTime(seconds: 7) })
        let key = AccountKey(try ExportSamples.account("m/84h/0h/0h")).description
        let wallet = try await manager.addWallet(
            named: "w", of: .parsing(["wpkh(\(key)/<0;1>/*)"]), network: .main
        ).wallet
        let place = WalletPlace(descriptor: 0, branch: 1, index: index)
        try store.save(
            WalletChain(
                network: .main, server: "s", height: 930_100, time: UnixTime(seconds: 7), hasHistory: true,
                areSpendsProven: true, scripts: [.init(place: place, script: Script([0x51]), isUsed: true)],
                transactions: [], coins: []),
            of: wallet.stored, at: UnixTime(seconds: 7))
        let requests = try manager.export(wallet, as: order(.core)).text.jsonObjects()
        #expect(requests.map { $0["range"] as? [Int] } == [[0, last], [0, last]])
    }

    /// Since when a card's account can have money is only known of bitcoin's own chain.
    @Test func theFirstBlockIsSaid() throws {
        let source = try ExportSamples.source("m/84h/0h/0h", birthHeight: 840_000)
        #expect(source.rescanRemark == .sinceBlock(840_000))
        #expect(try ExportSamples.source("m/84h/0h/0h", birthHeight: 1).rescanRemark == .wholeChain)
        #expect(try ExportSamples.source("m/84h/1h/0h", network: .test).rescanRemark == .wholeChain)
    }
}

import Bitcoin
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// How often a command speaks with the card, from the first SELECT on: each exchange takes a reader 50–100 ms.
@Suite struct RoundTripTests {
    private func count(_ bench: FlowBench, _ body: (CardStatus, CardDriver) async throws -> Void) async throws -> Int {
        bench.reader.resetCounts()
        try await bench.command(body)
        #expect(bench.reader.exchangeCounts["certs"] == 1)
        return bench.exchangeCount
    }

    @Test(
        arguments: TapSimulator.AppletVersion.allCases.flatMap { version in
            [SimulatedProduct.tapsigner, .satschip].map {
                ($0, version)
            }
        })
    func statusOfSigners(_ product: SimulatedProduct, _ version: TapSimulator.AppletVersion) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(product, using: &generator) { $0.version = version }
        #expect(try await count(bench) { _ = try await $1.prove() } == 3)
    }

    @Test(arguments: SlotCard.all) func status(_ card: SlotCard) async throws {
        var generator = SeededGenerator()
        let bench = try card.bench(&generator)
        let isRead = card.hasSealedSlot || card.showsOpenedAddress
        #expect(try await count(bench) { _ = try await $1.prove() } == (isRead ? 4 : 3))
    }

    @Test(arguments: SlotCard.withSealedSlot) func address(_ card: SlotCard) async throws {
        var generator = SeededGenerator()
        let bench = try card.bench(&generator)
        let count = try await count(bench) { _ = try await SlotsFlow(driver: $1, cvc: nil).one(nil) }
        #expect(count == 5 + card.dumpForLastSlot)
    }

    @Test(arguments: SlotCard.all) func slots(_ card: SlotCard) async throws {
        var generator = SeededGenerator()
        let bench = try card.bench(&generator)
        for cvc in [nil, FlowBench.cvc] {
            let count = try await count(bench) {
                _ = try await SlotsFlow(driver: $1, cvc: cvc.map { try CVC($0) }).all()
            }
            // With the CVC each opened slot is proven by a signature.
            let proofs = cvc == nil ? 0 : card.opened
            #expect(count <= card.opened + proofs + 5 + card.dumpForLastSlot)
            // Used slots are the opened ones and the one in use.
            let used = card.opened + (card.hasSealedSlot ? 1 : 0)
            #expect(count <= used + proofs + 5)
            #expect(bench.reader.exchangeCounts["sign", default: 0] == proofs)
            #expect(bench.reader.exchangeCounts["status"] == nil)
        }
    }

    /// What a signer's keys cost, the first time and then.
    @Test(arguments: [SimulatedProduct.tapsigner, .satschip]) func keysOfSigners(
        _ product: SimulatedProduct
    ) async throws {
        var generator = SeededGenerator()
        let known = try await FlowBench.ready(product, using: &generator)
        let cvc = try CVC(FlowBench.cvc)
        let path = try DerivationPath(parsing: "m/49h/1h/0h")
        let flows:
            [(name: String, first: Int, then: Int, run: @Sendable (FlowBench, CardDriver) async throws -> Void)] =
                [
                    // SELECT, check, certs, xpub; the first time its probe, then derive, status and probe at m, derive and status back.
                    // Then `xpub` for the master key, too, which has to be the one that the store knows.
                    ("xpub", 10, 5, { _ = try await AccountFlow(driver: $1, cvc: cvc).keys().account }),
                    ("derive", 11, 5, { _ = try await AccountFlow(driver: $1, cvc: cvc).derive(path) }),
                    (
                        "message sign", 6, 5,
                        { _, driver in
                            _ = try await MessageFlow(driver: driver, cvc: cvc, network: .test)
                                .sign([1], by: .path(DerivationPath(), nil), format: .bip137)
                        }
                    ),
                    // One input; status before its stage.
                    (
                        "sign", 7, 6,
                        { bench, driver in
                            var recipe = SampleWallet.Recipe()
                            recipe.payment += Int64(bench.store.transactionCount())
                            try await bench.signToTheEnd(try bench.wallet().psbt(recipe), driver)
                        }
                    ),
                    // Every time: its proofs are asked for anew.
                    ("verify", 11, 11, { _ = try await VerifyFlow(driver: $1, cvc: cvc).run() }),
                ]
        for flow in flows {
            let bench = try known.copy(store: MemoryStore())
            for expected in [flow.first, flow.then] {
                bench.reader.resetCounts()
                try await bench.run { try await flow.run(bench, $0) }
                print("\(flow.name): \(bench.exchangeCount) exchanges")
                #expect(bench.exchangeCount == expected, "\(flow.name)")
            }
        }
    }

    /// From one known account to another.
    @Test func derivingWhatIsKnown() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        try await bench.proveUsualAccounts()
        let path = try DerivationPath(parsing: "m/49h/1h/0h")
        _ = try await bench.run { try await AccountFlow(driver: $0, cvc: CVC(FlowBench.cvc)).derive(path) }
        #expect(
            bench.reader.exchangeCounts == ["select": 1, "check": 1, "certs": 1, "derive": 1, "status": 1, "xpub": 1])
    }

    @Test(arguments: SlotCard.all.filter { $0.hasSealedSlot || $0.opened > 0 }) func unseal(
        _ card: SlotCard
    ) async throws {
        var generator = SeededGenerator()
        let bench = try card.bench(&generator)
        let count = try await count(bench) {
            _ = try await UnsealFlow(driver: $1, cvc: CVC(FlowBench.cvc)).run(UnsealPlan(for: $0))
        }
        // A slot that was opened before: `dump`, its probe, `dump` with the CVC. Before 1.0.0 only the refusal of `unseal`
        // tells that a full card's last slot is open.
        #expect(count <= (card.hasSealedSlot ? 5 : card.showsOpenedAddress && !card.provesSeal ? 9 : 7))
        if card.hasSealedSlot { #expect(bench.reader.exchangeCounts["unseal"] == 1) }
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases) func setup(_ version: TapSimulator.AppletVersion) async throws
    {
        var generator = SeededGenerator()
        for opened in [0, 4] {
            let bench = try FlowBench.satscard(version, opened: opened, isBlank: true, using: &generator)
            let count = try await count(bench) {
                _ = try await NextSlotFlow(
                    driver: $1, cvc: CVC(FlowBench.cvc), chainCode: ChainCode(repeating: 1),
                    isChainCodeNamed: false
                ).run()
            }
            #expect(count == 8)
        }
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases) func verify(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(version, opened: 3, using: &generator)
        #expect(try await count(bench) { _ = try await VerifyFlow(driver: $1, cvc: nil).run() } == 5)
    }

    /// Opening a slot and setting the next one up, as `unseal` offers it: the certificates are asked for once.
    @Test(arguments: TapSimulator.AppletVersion.allCases) func certificatesAreAskedForOnceInARun(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(version, opened: 2, using: &generator)
        let count = try await count(bench) { status, driver in
            let cvc = try CVC(FlowBench.cvc)
            _ = try await UnsealFlow(driver: driver, cvc: cvc).run(UnsealPlan(for: status))
            _ = try await NextSlotFlow(
                driver: driver, cvc: cvc, chainCode: ChainCode(repeating: 1), isChainCodeNamed: false
            ).run()
            _ = try await SlotsFlow(driver: driver, cvc: cvc).all()
            _ = try await VerifyFlow(driver: driver, cvc: cvc).run()
        }
        print("unseal, setup, slots, verify in one run, \(version.rawValue): \(count) exchanges")
    }

    /// Also after the card was away: its key is compared, its certificates are not asked for again.
    @Test func certificatesAreAskedForOnceThoughTheCardWasAway() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 2, using: &generator)
        bench.watch.disturbance = FunctionInterceptor(onAnswer: { _, exchange in
            exchange.number == 5 ? .pull(.whenAwaited) : .pass
        })
        try await bench.command(patience: .limited(.seconds(20))) { _, driver in
            _ = try await SlotsFlow(driver: driver, cvc: nil).one(nil)
        }
        #expect(bench.reader.exchangeCounts["derive"] == 2)
        #expect(bench.reader.exchangeCounts["certs"] == 1)
    }
}

extension SlotCard {
    /// Before 1.0.0 nothing proves a seal. The last slot, which stays the active one on some full cards, is then asked with
    /// `dump` whether it was opened: one exchange more, for money rests on the answer.
    fileprivate var dumpForLastSlot: Int { hasSealedSlot && !provesSeal && opened == 9 ? 1 : 0 }
}

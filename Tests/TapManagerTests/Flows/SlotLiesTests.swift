import Bitcoin
import FlowSupport
import LyingCards
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// Cards that lie about their slots, and what the flows make of it: no address is called proven, and no key the slot's,
/// that is not.
@Suite struct SlotLiesTests {
    private typealias Version = TapSimulator.AppletVersion

    private static let provingVersions: [TapSimulator.AppletVersion] = [.v100, .v102, .v103]
    private let chainCode = ChainCode(repeating: 0x5A)

    // MARK: A slot said sealed that is not

    @Test(arguments: provingVersions) func anOpenedSlotSaidSealed(_ version: TapSimulator.AppletVersion) async throws {
        var generator = SeededGenerator()
        for (opened, isBlank, proof) in [
            // The card's key signed for no slot, or for the one that is sealed really.
            (3, true, Proof.slotKey), (3, false, .cardKey), (10, false, .slotKey), (9, true, .slotKey),
        ] {
            let bench = try FlowBench.satscard(version, opened: opened, isBlank: isBlank, using: &generator)
            try bench.simulated.lie([.openedSlotSaidSealed])
            let cell: Comment = "\(version.rawValue), \(opened) opened"
            #expect(await expectFailure(cell) { try await bench.report() }?.failedProof == proof, cell)
            #expect(await expectFailure(cell) { try await bench.reports() }?.failedProof == proof, cell)
            #expect(
                await expectFailure(cell) { try await bench.reports(cvc: FlowBench.cvc) }?.failedProof == proof, cell)
            let setup = await expectFailure(cell) { try await bench.setUpNextSlot(chainCode: chainCode) }
            #expect(setup?.failedProof == proof, cell)
            #expect(bench.reader.exchangeCounts["new"] == nil, cell)
            let report = try await bench.command { try await VerifyFlow(driver: $1, cvc: nil).run() }
            #expect(report.proofs.filter { !$0.holds }.map { $0.name } == [.proof(proof)], cell)
        }
    }

    /// Before 1.0.0 nothing tells; the flows then say that the seal is not proven.
    @Test func beforeVersion100TheSealIsNeverCalledProven() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(.v090, opened: 3, isBlank: true, using: &generator)
        try bench.simulated.lie([.openedSlotSaidSealed])
        let report = try await bench.report()
        #expect(report.state == .sealed && !report.isSealProven)
        #expect(report.address?.description == (try bench.slots()[2].address))
    }

    /// The last slot of a card without seal proof is asked with `dump`, and what that says counts.
    @Test func theLastSlotIsAskedWhetherItWasOpened() async throws {
        var generator = SeededGenerator()
        for version in Version.allCases {
            let bench = try FlowBench.satscard(version, opened: 10, using: &generator)
            bench.watch.disturbance = FullCardWithAddress(bench.simulated)
            #expect(await expectFailure { try await bench.report() } == .usedUp)
            #expect(try await bench.report(SlotNumber(index: 9)).state == .unsealed)
        }
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases) func anOpenedSlotHiddenByDump(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        for opened in [1, 9, 10] {
            let bench = try FlowBench.satscard(version, opened: opened, using: &generator)
            try bench.simulated.lie([.dumpHidesOpenedSlots])
            for cvc in [nil, FlowBench.cvc] {
                let error = await expectFailure { try await bench.reports(cvc: cvc) }
                #expect(error?.failedProof == .slotState, "\(version.rawValue), \(opened) opened")
            }
        }
    }

    // MARK: Addresses and keys

    @Test(arguments: TapSimulator.AppletVersion.allCases) func anAddressWithAForeignMiddle(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(version, opened: 4, using: &generator)
        let truth = try bench.slots().map { $0.address }
        try bench.simulated.lie([.addressWithForeignMiddle])
        if version == .v103 {
            #expect(await expectFailure { try await bench.reports() }?.failedProof == .address)
        } else {
            let reports = try await bench.reports()
            #expect(reports.prefix(4).allSatisfy { $0.state == .unsealed && !$0.isAddressProven })
            #expect(reports.prefix(4).allSatisfy { $0.address?.description != truth[$0.slot.index] })
            #expect(reports[4].isAddressProven == (version != .v090) && reports[4].address?.description == truth[4])
        }
        let failure = await expectFailure { try await bench.reports(cvc: FlowBench.cvc) }
        #expect(failure?.failedProof == (version == .v103 ? .address : .openedSlot))
        let proven = try await bench.reportsWithKeys()
        #expect(proven.map { $0.address?.description } == truth)
        #expect(proven.prefix(version == .v090 ? 4 : 5).allSatisfy { $0.isAddressProven })
    }

    @Test(arguments: [Dishonesty.readByAnotherKey, .addressOfAnotherKey], TapSimulator.AppletVersion.allCases)
    func theSealedSlotsAddressIsAnothers(_ lie: Dishonesty, _ version: TapSimulator.AppletVersion) async throws {
        var generator = SeededGenerator()
        for opened in [0, 9] {
            let bench = try FlowBench.satscard(version, opened: opened, using: &generator)
            try bench.simulated.lie([lie])
            #expect(await expectFailure { try await bench.report() }?.failedProof == .address)
            #expect(await expectFailure { try await bench.reports() }?.failedProof == .address)
            #expect(await expectFailure { try await bench.unseal() }?.failedProof == .address)
            #expect(try bench.slotStates()[opened] == .sealed)
        }
    }

    @Test(arguments: provingVersions) func anotherCardsSlotKey(_ version: TapSimulator.AppletVersion) async throws {
        var generator = SeededGenerator()
        for opened in [0, 4, 9] {
            let bench = try FlowBench.satscard(version, opened: opened, using: &generator)
            let other = try FlowBench.satscard(version, opened: opened, using: &generator)
            try bench.simulated.lie([.slotKeyOfAnotherCard], accomplice: Accomplice(other.simulated))
            #expect(await expectFailure { try await bench.report() }?.failedProof == .cardKey)
            #expect(await expectFailure { try await bench.reports(cvc: FlowBench.cvc) }?.failedProof == .cardKey)
            #expect(await expectFailure { try await bench.unseal() }?.failedProof == .cardKey)
            #expect(try bench.slotStates()[opened] == .sealed)
        }
    }

    // MARK: Chain codes

    @Test(arguments: TapSimulator.AppletVersion.allCases) func aChainCodeOfItsOwn(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        for (lie, proof) in [(Dishonesty.ignoresChainCode, Proof.chainCode), (.claimsSuppliedChainCode, .masterKey)] {
            for opened in [0, 9] {
                let bench = try FlowBench.satscard(version, opened: opened, isBlank: true, using: &generator)
                try bench.simulated.lie([lie])
                let error = await expectFailure { try await bench.setUpNextSlot(chainCode: chainCode) }
                #expect(error?.failedProof == proof, "\(lie), \(version.rawValue)")
                #expect(try bench.chainCode(SlotNumber(index: opened)) != chainCode)
            }
        }
    }

    /// Set up in a run that was interrupted, with a chain code that nobody named: the next run says that it is not ours.
    @Test func aChainCodeOfItsOwnFoundLater() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 1, isBlank: true, using: &generator)
        try bench.simulated.lie([.ignoresChainCode])
        #expect(await expectFailure { try await bench.setUpNextSlot(chainCode: chainCode) } != nil)
        let error = await expectFailure { try await bench.setUpNextSlot(chainCode: chainCode, isNamed: true) }
        #expect(error == .otherChainCode)
        #expect(try await !bench.setUpNextSlot(chainCode: chainCode).hasOurChainCode)
    }

    // MARK: Opened keys

    @Test(arguments: TapSimulator.AppletVersion.allCases) func unsealGivesAnotherKey(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        for opened in [0, 9] {
            let bench = try FlowBench.satscard(version, opened: opened, using: &generator)
            try bench.simulated.lie([.unsealsAnotherKey])
            let result = try await bench.unseal()
            #expect(result.opened.slot.index == opened)
            try bench.expectOwn(result.opened)

            let worse = try FlowBench.satscard(version, opened: opened, using: &generator)
            try worse.simulated.lie([.unsealsAnotherKey, .dumpsAnotherKey])
            #expect(await expectFailure { try await worse.unseal() }?.failedProof == .slotKey)
        }
    }

    /// Opened by another program between plan and run: the key must be that of the address that was shown.
    @Test(arguments: TapSimulator.AppletVersion.allCases, OtherProgram.allCases)
    func dumpGivesAnotherKeyThanTheAddressShown(
        _ version: TapSimulator.AppletVersion, _ other: OtherProgram
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(version, opened: 3, using: &generator)
        let error = await expectFailure {
            try await bench.command { status, driver in
                let plan = try UnsealPlan(for: status)
                try await other.unseal(bench)
                try bench.simulated.lie([.dumpsAnotherKey])
                return try await UnsealFlow(driver: driver, cvc: CVC(FlowBench.cvc)).run(plan)
            }
        }
        #expect(error?.failedProof == .slotKey)
    }

    /// The status names another slot, or another address, than the one that is opened in the end.
    @Test(arguments: TapSimulator.AppletVersion.allCases) func thePlanIsNotAboutTheSlotThatIsThere(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(version, opened: 3, using: &generator)
        let other = try FlowBench.satscard(version, opened: 3, using: &generator)
        let plan = try await other.command { status, _ in try UnsealPlan(for: status) }
        let error = await expectFailure {
            try await bench.command { try await UnsealFlow(driver: $1, cvc: CVC(FlowBench.cvc)).run(plan) }
        }
        #expect(error?.failedProof == .address)
        #expect(try bench.slotStates()[3] == .sealed)
        guard case .open(_, let ends) = plan else {
            Issue.record("\(plan)")
            return
        }
        for index in [0, 2] {
            let opened = UnsealPlan.open(SlotNumber(index: index), ends)
            let error = await expectFailure {
                try await bench.command { try await UnsealFlow(driver: $1, cvc: CVC(FlowBench.cvc)).run(opened) }
            }
            #expect(error?.failedProof == .address)
        }
        let unused = UnsealPlan.open(SlotNumber(index: 6), ends)
        let unusedError = await expectFailure {
            try await bench.command { try await UnsealFlow(driver: $1, cvc: CVC(FlowBench.cvc)).run(unused) }
        }
        #expect(unusedError == .slotUnused(SlotNumber(index: 6)))
        #expect(try bench.slotStates()[3] == .sealed)
        #expect(bench.reader.exchangeCounts["unseal"] == nil)
    }

    /// Addresses can have the same ends: where the whole of it is known, the whole is compared before the slot is opened.
    @Test(arguments: TapSimulator.AppletVersion.allCases) func theEndsOfAnAddressAreNotTheAddress(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(version, opened: 3, using: &generator)
        let other = try #require(Address(scriptPubKey: WalletBench.stranger, network: .test))
        let error = await expectFailure {
            try await bench.command {
                try await UnsealFlow(driver: $1, cvc: CVC(FlowBench.cvc)).run(UnsealPlan(for: $0), at: other)
            }
        }
        #expect(error?.failedProof == .address && bench.reader.exchangeCounts["unseal"] == nil)
        #expect(try bench.slotStates()[3] == .sealed)
        let own = try Address(parsing: try #require(try bench.slots()[3].address), network: .test)
        let opened = try await bench.command {
            try await UnsealFlow(driver: $1, cvc: CVC(FlowBench.cvc)).run(UnsealPlan(for: $0), at: own).opened
        }
        #expect(opened.address == own)
    }

    // MARK: Every lie

    /// Whatever a card lies: an address that a flow calls proven is that of a key which the card has or gave away, a seal
    /// that it calls proven is there, and a slot's key is set up with our chain code or not said to be.
    @Test(arguments: Dishonesty.allCases.filter { $0.products.contains(.satscard) })
    func nothingIsCalledProvenThatIsNot(_ lie: Dishonesty) async throws {
        var generator = SeededGenerator()
        var (shown, refused) = (0, 0)
        for version in Version.allCases {
            for (opened, isBlank) in [(0, false), (3, false), (3, true), (9, false), (9, true), (10, false)] {
                let bench = try FlowBench.satscard(version, opened: opened, isBlank: isBlank, using: &generator)
                try bench.simulated.lie([lie])
                let cell: Comment = "\(lie), \(version.rawValue), \(opened) opened, blank: \(isBlank)"
                for cvc in [nil, FlowBench.cvc] {
                    if let reports = try await unlessRefused({ try await bench.reports(cvc: cvc) }) {
                        try expectTrue(reports, lie, bench, cell)
                        shown += 1
                    } else {
                        refused += 1
                    }
                }
                if let report = try await unlessRefused({ try await bench.report() }) {
                    try expectTrue([report], lie, bench, cell)
                    shown += 1
                } else {
                    refused += 1
                }
                if let setup = try await unlessRefused({ try await bench.setUpNextSlot(chainCode: chainCode) }) {
                    try expectTrue([setup.report], lie, bench, cell)
                    let isOurs = try bench.chainCode(setup.report.slot) == chainCode
                    #expect(setup.hasOurChainCode == isOurs, cell)
                    shown += 1
                } else {
                    refused += 1
                }
            }
        }
        print("\(lie): \(shown) shown, \(refused) refused")
    }

    private func expectTrue(
        _ reports: [SlotReport], _ lie: Dishonesty, _ bench: FlowBench, _ cell: Comment
    ) throws {
        let truth = try bench.slots()
        // Before 1.0.0 the card's own key attests no slot.
        let isUndetectable =
            bench.record.version == .v090 && [.slotKeyOfAnotherCard, .openedSlotSaidSealed].contains(lie)
        for report in reports {
            let slot = truth[report.slot.index]
            if report.isSealProven { #expect(slot.state == .sealed, cell) }
            if report.state == .sealed, !isUndetectable { #expect(slot.state == .sealed, cell) }
            guard report.isAddressProven else { continue }
            if let opened = report.opened {
                #expect(opened.privateKey.publicKey == opened.publicKey, cell)
                if lie != .dumpsAnotherKey { try bench.expectOwn(opened, cell) }
            } else {
                #expect(report.address?.description == slot.address, cell)
            }
        }
    }

    private func unlessRefused<Value>(_ body: () async throws -> Value) async throws -> Value? {
        do { return try await body() } catch is FlowError { return nil } catch is TapError { return nil }
    }
}

import Bitcoin
import FlowSupport
import LyingCards
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@Suite struct VerifyFlowTests {
    private static let card = ["card_key", "certificate_chain"]
    private static let active = ["read_signature", "address"]
    private static let origin = ["derive_signature", "master_key", "chain_code"]

    private func verify(
        _ bench: FlowBench, cvc: String? = nil, roots: [PublicKey]? = nil
    ) async throws -> CardVerification {
        try await bench.command(roots: roots) { try await VerifyFlow(driver: $1, cvc: cvc.map { try CVC($0) }).run() }
    }

    @Test(arguments: SlotCard.all) func satscards(_ card: SlotCard) async throws {
        var generator = SeededGenerator()
        let bench = try card.bench(&generator)
        let before = try bench.slots()
        let hasActiveKey = card.hasSealedSlot || card.showsOpenedAddress
        let opened = [String](repeating: "opened_slot", count: card.opened)
        let unasked = card.opened > 0 ? ["opened_slots"] : []
        // Nothing is called proven that the card's certified key did not sign.
        let slotLine = card.hasSealedSlot && card.provesSeal ? "slot_key" : "unproven_slot"
        for cvc in [nil, FlowBench.cvc] {
            let report = try await verify(bench, cvc: cvc)
            #expect(
                report.proofs.map { $0.name.description } == Self.card + (hasActiveKey ? Self.active + [slotLine] : [])
                    + (cvc == nil ? [] : opened) + (card.hasSealedSlot ? Self.origin : [])
                    + (cvc == nil ? unasked : []))
            // Without the card's own signature for the slot, what the slot's key proves is not this card's.
            let bare = card.hasSealedSlot && card.provesSeal ? [] : Self.active + Self.origin
            #expect(
                report.proofs.allSatisfy {
                    $0.isProven != (["opened_slots", "unproven_slot"] + bare).contains($0.name.description)
                })
            #expect(report.holds)
            #expect(report.verdict?.isAccepted == true && report.verdict?.isGenuine == false)
            let seal = report.proofs.first { $0.name.description == slotLine }?.detail
            #expect(seal?.contains("sealed slot") ?? false == (card.hasSealedSlot && card.provesSeal))
            #expect(seal?.contains("cannot prove") ?? false == (hasActiveKey && !card.provesSeal))
            if let address = card.hasSealedSlot ? before[card.opened].address : nil {
                #expect(report.proofs.contains { $0.name.description == "address" && $0.detail.hasPrefix(address) })
            }
        }
        #expect(try bench.slots() == before)
    }

    @Test(
        arguments: TapSimulator.AppletVersion.allCases.flatMap { version in
            [SimulatedProduct.tapsigner, .satschip].map {
                ($0, version)
            }
        })
    func signers(_ product: SimulatedProduct, _ version: TapSimulator.AppletVersion) async throws {
        var generator = SeededGenerator()
        let count = product == .tapsigner ? ["backup_count"] : []
        let fresh = try FlowBench(product, using: &generator) { $0.version = version }
        #expect(try await verify(fresh).proofs.map { $0.name.description } == Self.card + count)
        #expect(try await verify(fresh, cvc: FlowBench.cvc).proofs.map { $0.name.description } == Self.card + count)
        let bench = try await FlowBench.ready(product, using: &generator) { $0.version = version }
        #expect(try await verify(bench).proofs.map { $0.name.description } == Self.card + count + ["account"])
        let report = try await verify(bench, cvc: FlowBench.cvc)
        let keys = ["account", "master_key", "path"]
        #expect(report.proofs.map { $0.name.description } == Self.card + count + keys)
        #expect(report.holds && report.failureCode == nil)
        #expect(report.proofs.filter { !$0.isProven }.map { $0.name.description } == count + ["path"])
        let backups = report.proofs.first { $0.name.description == "backup_count" }?.detail
        #expect(backups == (product == .tapsigner ? "1 backup was made, according to the card" : nil))
    }

    @Test(arguments: SimulatedProduct.allCases) func anotherFactorysCardIsAskedNothingMore(
        _ product: SimulatedProduct
    ) async throws {
        var generator = SeededGenerator()
        for factory in [SimulatedFactory.standard, .development] {
            let bench = try FlowBench(product, using: &generator) { $0.factory = factory }
            let report = try await verify(bench, cvc: FlowBench.cvc, roots: [])
            #expect(!report.holds && report.failureCode == .notGenuine)
            #expect(report.proofs.filter { !$0.holds }.map { $0.name.description } == ["certificate_chain"])
            #expect(report.verdict == .unknown(root: try factory.rootKey))
            // Whoever made it may know its keys: only that it has its own is certain.
            #expect(report.proofs.filter(\.isProven).map { $0.name.description } == ["card_key"])
            let asked = Set(bench.reader.exchangeCounts.keys)
            #expect(asked.isSubset(of: ["select", "status", "read", "check", "certs"]))
        }
    }

    @Test(arguments: [SimulatedProduct.tapsigner, .satschip, .satscard]) func aWrongCVCIsNoFailedProof(
        _ product: SimulatedProduct
    ) async throws {
        var generator = SeededGenerator()
        let bench =
            product == .satscard
            ? try FlowBench.satscard(opened: 1, using: &generator)
            : try await FlowBench.ready(product, using: &generator)
        let error = await expectFailure { try await verify(bench, cvc: "654321") }
        #expect(error?.isWrongCVC == true)
        #expect(bench.record.wrongAttempts == 1)
    }

    @Test func theSecurityDelayIsWaitedOffOnlyForTheCVC() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 1, using: &generator)
        try await bench.enterWrongCVCs()
        #expect(try await verify(bench).holds)
        #expect(bench.reader.exchangeCounts["wait"] == nil)
        #expect(try await verify(bench, cvc: FlowBench.cvc).proofs.contains { $0.name.description == "opened_slot" })
        #expect(bench.reader.exchangeCounts["wait"] == 15)
    }

    /// The lie that a card tells from inside, and the proof that it fails.
    @Test(arguments: [
        (Dishonesty.ownCertificates, SimulatedProduct.satscard, "certificate_chain"),
        (.ownCertificates, .tapsigner, "certificate_chain"),
        (.certificatesOfAnotherCard, .satscard, "certificate_chain"),
        (.checkByAnotherKey, .satschip, "card_key"),
        (.checkByAnotherKey, .satscard, "card_key"),
        (.slotKeyOfAnotherCard, .satscard, "card_key"),
        (.readByAnotherKey, .satscard, "address"),
        (.addressOfAnotherKey, .satscard, "address"),
        (.dumpHidesOpenedSlots, .satscard, "slot_state"),
        (.xpubOfAnotherKey, .tapsigner, "account"),
        (.xpubWithAnotherChainCode, .satschip, "account"),
        (.signsWithAnotherKey, .satscard, "opened_slot"),
        (.signsWithAnotherKey, .tapsigner, "account"),
        (.signsAnotherDigest, .satschip, "account"),
    ])
    func aLyingCardFailsTheProofByItsName(
        _ lie: Dishonesty, _ product: SimulatedProduct, _ proof: String
    ) async throws {
        var generator = SeededGenerator()
        let bench =
            product == .satscard
            ? try FlowBench.satscard(opened: 2, using: &generator)
            : try await FlowBench.ready(product, using: &generator)
        try bench.simulated.lie([lie])
        let report = try await verify(bench, cvc: FlowBench.cvc)
        #expect(report.proofs.filter { !$0.holds }.map { $0.name.description } == [proof])
        let failure = try #require(report.failure)
        #expect(
            failure.message.hasPrefix("\(proof): ") && failure.details.isEmpty && failure.code == report.failureCode)
        // What a flow would say of a proof that failed is said here, too.
        #expect(failure.remedy.hasPrefix("Do not use this card") == (failure.code == .badProof), "\(failure.remedy)")
    }

    /// Every proof that failed is told; a proof that contradicts the store says so, and what it is about.
    @Test func aFailedProofLosesNothing() async throws {
        var generator = SeededGenerator()
        let tampered = try FlowBench(using: &generator) { $0.isTampered = true }
        let both = try #require(try await verify(tampered, roots: []).failure)
        #expect(both.code == .badProof && both.details.count == 1 && both.subject == nil)
        #expect(both.message.hasPrefix("certificate_chain: ") && both.details.first?.hasPrefix("tampered: ") == true)
        #expect(try await verify(tampered).failure?.code == .tampered)

        let bench = try await FlowBench.ready(using: &generator)
        let path = try #require(bench.record.path)
        let foreign = try SampleWallet(seed: 8).master.descendant(path).neutered
        bench.store.save(
            ProvenAccount(
                cardKey: try bench.record.cardKey, path: path, key: foreign, proven: UnixTime(seconds: 1)))
        #expect(try await bench.run { try await VerifyFlow(driver: $0, cvc: nil).run() }.failure == nil)
        let verification = try await bench.run { try await VerifyFlow(driver: $0, cvc: CVC(FlowBench.cvc)).run() }
        let remembered = try #require(verification.failure)
        #expect(remembered.code == .badProof && remembered.subject == .memory)
        #expect(remembered.remedy.contains("make the store forget the card"))
    }
}

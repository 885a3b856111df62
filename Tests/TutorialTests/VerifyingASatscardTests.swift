import Bitcoin
import SmartCard
import TapProtocol
import TapSimulator
import Testing

/// The tutorial "Verify a SATSCARD", at work.
@Suite struct VerifyingASatscardTests {
    private func reader(_ change: (inout SimulatedCardOptions) -> Void = { _ in }) throws -> SimulatedReader {
        var options = SimulatedCardOptions(product: .satscard)
        change(&options)
        return SimulatedReader(card: try SimulatedCard(options))
    }

    private var root: PublicKey { get throws { try SimulatedFactory.standard.rootKey } }

    private func doubt(about reader: SimulatedReader) async throws -> SatscardDoubt? {
        let root = try root
        return await #expect(throws: SatscardDoubt.self) { try await provenAddress(on: reader, acceptedRoots: [root]) }
    }

    @Test func aSealedSlotHasAnAddress() async throws {
        let address = try await provenAddress(on: try reader(), acceptedRoots: [try root])
        #expect(address.description.hasPrefix("bc1q"))
        let later = try await provenAddress(on: try reader { $0.usedSlots = 3 }, acceptedRoots: [try root])
        #expect(later.description.hasPrefix("bc1q"))
    }

    @Test func simulatedCardsAreNotGenuine() async throws {
        let reader = try reader()
        let root = try root
        let doubt = await #expect(throws: SatscardDoubt.self) { try await provenAddress(on: reader) }
        #expect(doubt == .notGenuine(.unknown(root: root)))
    }

    @Test func everyOtherDoubtIsNamed() async throws {
        #expect(try await doubt(about: try reader { $0.isBlank = true }) == .noSlotInUse)
        #expect(try await doubt(about: try reader { $0.isTampered = true }) == .tampered)
        #expect(
            try await doubt(about: try reader { $0.version = .v090 }) == .notProvenSealed(.unproven))
        let signer = SimulatedReader(card: try SimulatedCard(SimulatedCardOptions(product: .tapsigner)))
        #expect(try await doubt(about: signer) == .notASatscard(.tapsigner))
    }
}

import Foundation
import TestSupport
import Testing

/// The page in a real browser, with simulated cards on a reader of the real `pcscd`, and a real node. One browser at a time:
/// it takes what a small machine has.
@Suite(.serialized) struct PageTests {
    @Test func aSignerIsSetUpPaidAndPaidFrom() async throws {
        let place = try await ChainPlace(Workshop(isSetUp: false))
        let workshop = place.workshop
        let key = try #require(workshop.backupKey)
        let new = "31415926535"
        try await VirtualReaderSlot.withLease { slot in
            let window = workshop.pinentryWindow(Workshop.printedCVC, new, new, key, new)
            let story = try await PageStory.play(
                "signer", in: workshop,
                environment: place.variables.merging(window) { $1 }.merging(slot.variable) { $1 },
                given: [
                    "reader": Int(slot.port), "card": workshop.cardFile, "ident": workshop.ident,
                    "node": try await place.chain.payer(),
                ])
            for secret in [Workshop.printedCVC, new, key] { #expect(!(story.served + story.told).contains(secret)) }
        }
        // The page said yes to everything, and the window had every secret.
        #expect(!workshop.pinentryLog.contains("CONFIRM"))
    }

    @Test func aSatscardIsPaidToAndSwept() async throws {
        let place = try await ChainPlace(.satscard("--network", "test"))
        let workshop = place.workshop
        try await VirtualReaderSlot.withLease { slot in
            let window = workshop.pinentryWindow(Workshop.satscardCVC)
            try await PageStory.play(
                "satscard", in: workshop,
                environment: place.variables.merging(window) { $1 }.merging(slot.variable) { $1 },
                given: [
                    "reader": Int(slot.port), "card": workshop.cardFile, "ident": workshop.ident,
                    "node": try await place.chain.payer(),
                ])
        }
    }

    @Test func twoOfThreeSignOneAfterTheOther() async throws {
        let cosigners = try await Cosigners(inputs: 6)
        let node = try await BitcoinNode.shared()
        try await VirtualReaderSlot.withLease { slot in
            let window = cosigners.first.pinentryWindow(Workshop.printedCVC)
            try await PageStory.play(
                "cosigners", in: cosigners.first,
                environment: ["TAPKIT_NETWORK": "regtest"].merging(window) { $1 }.merging(slot.variable) { $1 },
                given: [
                    "reader": Int(slot.port), "psbt": cosigners.first.folder.path("tx.psbt"),
                    "cards": [cosigners.first, cosigners.second].map { ["card": $0.cardFile, "ident": $0.ident] },
                    "node": try await node.payer(),
                ])
        }
    }
}

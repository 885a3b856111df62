import Bitcoin
import Foundation
import TestSupport
import Testing

extension PageTests {
    /// Two of three at once, one of them later; two are cards.
    @Test func aWalletWithAPolicyIsRegisteredAndPaidFrom() async throws {
        let (place, second) = (try await ChainPlace(Workshop()), try await Workshop())
        let first = place.workshop
        let policy = SamplePolicy(
            "thresh(2,pk(#A),s:pk(#B),s:pk(#C),sln:older(10))",
            [try await first.wallet(), try await second.wallet(), try SampleWallet(seed: 77)])
        try await first.tapkit("derive", policy.account).succeeded()
        let descriptor = try policy.descriptor()
        let script = try descriptor.spending(branch: 0, index: 0).scriptPubKey
        try await VirtualReaderSlot.withLease { slot in
            let window = first.pinentryWindow(Workshop.printedCVC)
            let story = try await PageStory.play(
                "policy", in: first,
                environment: place.variables.merging(window) { $1 }.merging(slot.variable) { $1 },
                given: [
                    "reader": Int(slot.port),
                    "cards": [first, second].map { ["card": $0.cardFile, "ident": $0.ident] },
                    "node": try await place.chain.payer(), "descriptor": try #require(descriptor.text),
                    "template": "wsh(thresh(2,pk(@0/**),s:pk(@1/**),s:pk(@2/**),sln:older(10)))",
                    "fingerprints": policy.holders.map(\.fingerprint.description),
                    "keys": try policy.holders.map {
                        try $0.extendedKey(DerivationPath(parsing: policy.account)).text
                    }, "address": try #require(Address(scriptPubKey: script, network: .regtest)).description,
                    "store": first.storeFolder.path("data/store.sqlite"),
                ])
            #expect(!(story.served + story.told).contains(Workshop.printedCVC))
        }
        // The page said yes to everything.
        #expect(!first.pinentryLog.contains("CONFIRM"))
    }
}

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
        let choices = try choices()
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
                    "choices": choices, "words": try await words(choices, in: second),
                ])
            #expect(!(story.served + story.told).contains(Workshop.printedCVC))
        }
        // The page said yes to everything.
        #expect(!first.pinentryLog.contains("CONFIRM"))
    }

    /// A policy with more spending paths than are listed: each tells what opens with its locks.
    private func choices() throws -> String {
        let parts = "ABCDEFG".enumerated().map { "or_c(pk(#\($1)),v:older(\($0 + 1)))" }
        let conditions = parts.dropFirst().reduce(parts[0]) { "and_v(\($0),\($1))" }
        let holders = try (0..<9).map { try SampleWallet(seed: UInt8(60 + $0)) }
        return try #require(SamplePolicy("and_v(\(conditions),or_b(pk(#H),s:pk(#I)))", holders).descriptor().text)
    }

    /// The spending paths of a wallet as the command tells them.
    private func words(_ descriptor: String, in workshop: Workshop) async throws -> [String] {
        let environment = ["TAPKIT_NETWORK": "regtest"]
        try await workshop.tapkit(["wallet", "add", "choices", descriptor], environment: environment).succeeded()
        let shown = try await workshop.tapkit(["wallet", "show", "choices", "--offline"], environment: environment)
        let paths = try shown.succeeded().text.matches(of: /\n    [1-8]  (.+)/).map { String($0.1) }
        #expect(paths.count == 8 && paths[0].contains(" and (") && paths[7].hasPrefix("("))
        return paths
    }
}

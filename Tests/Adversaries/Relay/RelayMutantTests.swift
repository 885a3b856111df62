import Bitcoin
import FlowSupport
import LyingCards
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// The relay is worth its name: whoever believes an account without its probe believes the relay, by each of its lies.
@Suite struct RelayMutantTests {
    @Test(arguments: Relay.Lie.allCases.filter { $0 != .suppliedChainCode })
    func anAccountWithoutAProbeIsTheRelays(_ lie: Relay.Lie) async throws {
        var generator = SeededGenerator(for: "story")
        let bench = try await FlowBench.ready(using: &generator)
        bench.watch.disturbance = try Relay(lie)
        let path = try #require(bench.record.path)
        let (xpub, master, derived) = try await TapCard(reader: bench.reader).perform { session in
            let cvc = try CVC(FlowBench.cvc)
            return (
                try session.extendedPublicKey(master: false, cvc: cvc),
                try session.extendedPublicKey(master: true, cvc: cvc), try session.setPath(path, cvc: cvc)
            )
        }
        let wallet = try bench.wallet()
        let real = try wallet.extendedKey(path)
        #expect(master.publicKey != wallet.master.neutered.publicKey && derived.masterKey == master.publicKey)
        #expect(xpub == derived.key)
        let isForeign = real.publicKey != xpub.publicKey || real.chainCode != xpub.chainCode
        #expect(isForeign == (lie != .masterKey))
    }

    @Test func aNewKeyWithoutAProbeHasAnotherChainCodeThanItSays() async throws {
        var generator = SeededGenerator(for: "story")
        let bench = try FlowBench(using: &generator)
        bench.watch.disturbance = try Relay(.suppliedChainCode)
        let master = try await TapCard(reader: bench.reader).perform { session in
            try session.createKey(chainCode: Story.chainCode, cvc: try CVC(FlowBench.cvc))
            return try session.setPath(DerivationPath(), cvc: try CVC(FlowBench.cvc)).key
        }
        #expect(master.chainCode == Story.chainCode)
        #expect(try bench.wallet().master.chainCode != Story.chainCode)
    }
}

import Bitcoin
import TestSupport
import Testing

@testable import TapKitCLI
@testable import TapManager

/// Why it is time to rehearse.
@Suite struct DrillWordsTests {
    /// What a rehearsal could not prove was rehearsed, and is not proven.
    @Test(
        arguments: [
            ([:], "“w” was never rehearsed"), ([2: 5], "paths 1, 3 of “w” were never proven"),
            ([3: 5], "paths 1, 2 of “w” were never proven"),
        ] as [([Int: Int64], String)])
    func pathsWithoutAProofAreNamed(_ proven: [Int: Int64], _ reason: String) throws {
        let holders = try [1, 2, 3].map { try SampleWallet(seed: $0) }
        let policy = SamplePolicy("or_d(pk(#A),or_i(and_v(v:pkh(#B),older(10)),and_v(v:pkh(#C),older(20))))", holders)
        let wallet = StoredWallet(
            name: "w", network: .test, descriptors: [try #require(DescriptorText(policy.descriptor()))],
            created: UnixTime(seconds: 1),
            drill: WalletDrill(proven: proven.mapValues { UnixTime(seconds: $0) }))
        #expect(wallet.dueDrillWords == "Rehearsal due: \(reason); tapkit wallet rehearse w --kit FOLDER --backup FILE")
    }
}

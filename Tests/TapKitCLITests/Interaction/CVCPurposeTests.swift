import Bitcoin
import TapManager
import TestSupport
import Testing

@testable import TapKitCLI

/// What a CVC is asked for, where nothing else of it may be seen.
@Suite struct CVCPurposeTests {
    /// The one who types the CVC may not be the one who said yes.
    @Test(arguments: [false, true])
    func aSweepNamesItsTargetAmountAndFee(opensSlot: Bool) throws {
        var recipe = SampleWallet.Recipe()
        (recipe.kinds, recipe.payment, recipe.hasChange) = ([.p2wpkh, .p2wpkh], 199_000, false)
        let review = try #require(
            SigningPlanner(psbt: try SampleWallet(seed: 1).psbt(recipe), network: .test).review().review)
        let target = try #require(review.outputs.first?.address)
        #expect(
            CVCPurpose.sweep(review, opensSlot: opensSlot).words
                == (opensSlot ? "permanently unseal a slot and " : "")
                + "sign a sweep of 2 coins that pays 0.00199000 test BTC to \(target); fee 0.00001000 test BTC")
    }
}

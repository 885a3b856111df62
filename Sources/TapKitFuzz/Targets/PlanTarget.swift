import Bitcoin
import TapManager

/// What a card is asked to sign, compared with what the person is shown. The first byte chooses the policy, and whether the
/// rest is a PSBT or a recipe for one.
enum PlanTarget: FuzzTarget {
    static let name = "plan"

    static func run(_ bytes: [UInt8]) throws {
        var source = ByteSource(bytes)
        let choices = source.byte()
        let present = source.pick(PlanWallet.accounts)
        var policy = SigningPolicy()
        policy.requiresProvenAmounts = choices & 1 != 0
        policy.allowsOtherSighashes = choices & 2 != 0
        let psbt: PSBT
        if choices & 4 != 0 {
            var recipe = PlanRecipe(source)
            guard let crafted = recipe.psbt() else { return }
            psbt = try PSBT(serialized: crafted.serialized())
        } else {
            psbt = try PSBT(serialized: source.rest())
        }
        try check(psbt, policy, present)
    }

    private static func check(_ psbt: PSBT, _ policy: SigningPolicy, _ present: DerivationPath) throws {
        let planner = SigningPlanner(psbt: psbt, network: .test, policy: policy)
        if let review = planner.review().review { PlanCheck.expectWhole(review, of: psbt) }
        guard let keys = PlanWallet.signerKeys(for: planner) else { return }
        let plan = try planner.plan(keys: keys, present: present, final: present)
        PlanCheck(plan: plan, policy: policy).run()

        let signed = PlanCheck.signed(plan)
        let read = required("what was signed is read") { try PSBT(serialized: signed.serialized()) }
        let again = required("what was signed is signed no more, but not refused") {
            try SigningPlanner(psbt: read, network: .test, policy: policy)
                .plan(keys: keys, present: present, final: present)
        }
        expectSame(again.signatureCount, 0, "what was signed is not asked for again")
        expectSame(again.presentCount, plan.presentCount + plan.signatureCount, "every signature is found again")
        PlanCheck.expectWhole(again.review, of: psbt)

        let other: PSBT.Version = psbt.version == .v0 ? .v2 : .v0
        guard let converted = try? psbt.converted(to: other), converted.unsignedTransaction == psbt.unsignedTransaction,
            let same = try? SigningPlanner(psbt: converted, network: .test, policy: policy)
                .plan(keys: keys, present: present, final: present)
        else { return }
        expectSame(same.stages, plan.stages, "the same is signed in either version")
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        PlanSeeds.recipes
            + PlanSeeds.recipes.compactMap { recipe in
                PlanSeeds.psbt(recipe).map { [recipe[0] & 3, 0] + $0.serialized() }
            }
    }
}

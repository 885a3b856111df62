import FlowSupport
import TestSupport

/// The wallet that is registered in tests: the card's key is `A`, two others' are `B` and `C`.
extension FlowBench {
    static let others = [2, 3] as [UInt8]

    func policy(
        _ expression: String = "or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(52560)))"
    ) throws -> SamplePolicy {
        var policy = SamplePolicy(expression, [try wallet()] + (try Self.others.map { try SampleWallet(seed: $0) }))
        policy.hasExtendedKeys = false
        return policy
    }
}

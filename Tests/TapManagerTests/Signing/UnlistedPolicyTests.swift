import Bitcoin
import FlowSupport
import TestSupport
import Testing

@testable import TapManager

/// A stranger's inputs, however many keys they name, hide no path of the signer's own.
@Suite struct UnlistedPolicyTests {
    @Test func ownInputsComeFirst() throws {
        let bench = try PlanBench()
        let strangers = try (2...16).map { try SampleWallet(seed: UInt8($0)) }
        let letters = "ABCDEFGHIJKLMNO"
        let everybody = letters.map { "#\($0)" }.joined(separator: ",")
        // Fifteen paths of sixteen keys each: no review lists 45 such policies.
        func large(_ age: Int) -> SamplePolicy {
            let paths = letters.lowercased().enumerated().map { "and_v(v:pk(#\($1)),older(\(100 * age + $0)))" }
            let choice = paths.dropFirst().reduce(paths[0]) { "or_i(\($1),\($0))" }
            var policy = SamplePolicy("and_v(v:multi(1,\(everybody)),\(choice))", strangers)
            policy.account = "m/48h/1h/\(age)h/2h"
            return policy
        }
        let own = SamplePolicy("or_d(pk(#A),and_v(v:pkh(#B),older(1000)))", [bench.wallet, strangers[0]])
        var psbt = try large(1).psbt()
        for age in 2...45 { psbt = try psbt.joined(try large(age).psbt()) }
        psbt = try psbt.joined(try own.psbt())
        let review = try bench.plan(psbt).review
        #expect(review.policies.first?.paths.map(\.terms.older) == [[], [1_000]])
        #expect(review.policies.count + review.unlistedPolicyCount == 46 && review.unlistedPolicyCount > 0)
    }

    /// As long as the signer's keys are unknown, a stranger's input can be listed before its own: then it is asked again.
    @Test func whatComesFirstOnlyWithKeysIsAskedAgain() throws {
        let bench = try PlanBench()
        let strangers = try (2...3).map { try SampleWallet(seed: UInt8($0)) }
        let own = SamplePolicy("or_d(pk(#A),and_v(v:pkh(#B),older(1000)))", [bench.wallet, strangers[0]])
        let other = SamplePolicy("or_d(pk(#A),and_v(v:pkh(#B),older(2000)))", strangers)
        for (psbt, isAsked) in [(try own.psbt(inputs: 2), false), (try other.psbt().joined(try own.psbt()), true)] {
            let preview = SigningPreview(of: psbt, network: .test, policy: SigningPolicy(), store: MemoryStore())
            let plan = try bench.plan(psbt)
            #expect(plan.review.policies.first?.paths.map(\.terms.older) == [[], [1_000]])
            #expect(preview.hasPolicies(of: plan) != isAsked)
        }
    }

    /// The same with a card: who saw the stranger's policy first is shown the own one before anything is signed.
    @Test(arguments: [false, true]) func thePersonIsAskedAgain(_ hasStranger: Bool) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let strangers = try (2...3).map { try SampleWallet(seed: UInt8($0)) }
        let own = SamplePolicy("or_d(pk(#A),and_v(v:pkh(#B),older(1000)))", [try bench.wallet(), strangers[0]])
        let other = SamplePolicy("or_d(pk(#A),and_v(v:pkh(#B),older(2000)))", strangers)
        // Nothing is claimed to be change, so that nothing else is news.
        var psbt = try hasStranger ? other.psbt().joined(own.psbt()) : own.psbt(inputs: 2)
        psbt[output: 1] = psbt.outputs[0]
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let signed = try await bench.manager(person).sign(psbt, network: .test)
        #expect(signed.result.added == (hasStranger ? 1 : 2))
        let asked = person.entries.compactMap { if case .question(let question) = $0 { question } else { nil } }
        #expect(person.words.filter { $0 != "cvc" && $0 != "review" } == asked.map { _ in "first" })
        #expect(asked.count == (hasStranger ? 2 : 1), "\(person.words)")
        #expect(asked.last?.review.policies.first?.paths.map(\.terms.older) == [[], [1_000]])
    }
}

import ByteCodec
import TestSupport
import Testing

@testable import Bitcoin

/// Random expressions are spent with random signatures, preimages and locks: whatever the policy allows is found, fits the
/// predicted size, and is accepted by our interpreter and by Bitcoin Core's own code; nothing else is.
@Suite struct MiniscriptSpendingTests {
    private let keys = RandomMiniscript.keys

    @Test func whatThePolicyAllowsIsSpentAndNothingElse() async throws {
        var random = SeededGenerator()
        var expressions = RandomMiniscript(SeededGenerator())
        var jury = ScriptJury()
        var (spent, refused, sane) = (0, 0, 0)
        while sane < 600 {
            let expression = expressions.next()
            guard expression.fault(comparing: { $0 }) == nil else { continue }
            sane += 1
            for _ in 0..<3 {
                let spend = MiniscriptSpend(expression, keys: keys, using: &random)
                if spend.expectSpent(before: &jury) { spent += 1 } else { refused += 1 }
            }
        }
        #expect(spent > 500 && refused > 200, "\(spent) \(refused)")
        try await jury.agree()
    }

    /// Of expressions that are not safe, too, every witness is valid that is found.
    @Test func whateverIsFoundIsValid() async throws {
        var random = SeededGenerator()
        var expressions = RandomMiniscript(SeededGenerator())
        var jury = ScriptJury()
        while jury.count < 300 {
            let expression = expressions.next()
            let cost = expression.resources
            guard cost.scriptLength <= MiniscriptLimits.scriptLength,
                cost.operations + (cost.satisfaction?.operations ?? 0) <= MiniscriptLimits.operations
            else { continue }
            let spend = MiniscriptSpend(expression, keys: keys, using: &random)
            guard let witness = spend.witness else { continue }
            spend.expectValid(witness, before: &jury)
        }
        try await jury.agree()
    }
}

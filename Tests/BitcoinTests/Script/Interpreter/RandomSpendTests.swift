import Bitcoin
import TestSupport
import Testing

/// Spends of every kind that tapkit can make, right and with every fault, under many sets of rules: our interpreter and
/// Bitcoin Core's say the same, and for the same reason.
@Suite struct RandomSpendTests {
    private static let rounds = 10_000
    private static let rules = Set(ScriptRules.flags.values).sorted { $0.rawValue < $1.rawValue }

    @Test func tenThousandSpendsAreJudgedAsByCore() async throws {
        var generator = SeededGenerator()
        var jury = ScriptJury()
        var kinds: [SpendingForm: Set<RandomSpend.Fault>] = [:]
        var reasons: [String: Int] = [:]
        for round in 0..<Self.rounds {
            let spend = try RandomSpend(using: &generator)
            kinds[spend.kind, default: []].insert(spend.fault)
            let some = Self.rules.reduce(into: ScriptRules()) {
                if Bool.random(using: &generator) { $0.formUnion($1) }
            }
            let failures = jury.judge(
                spend.transaction, spending: spend.spentOutputs, input: spend.input, under: [[], .standard, some],
                "\(round): \(spend.kind), \(spend.fault)")
            if spend.fault == .none { #expect(failures == [nil, nil, nil], "\(round): \(spend.kind)") }
            for failure in failures { reasons[CoreScriptError.name(of: failure), default: 0] += 1 }
        }
        #expect(jury.count == 3 * Self.rounds)
        // Every kind met every fault, and enough is valid and enough is not.
        #expect(kinds.count == SpendingForm.allCases.count)
        for (kind, faults) in kinds { #expect(faults.count == RandomSpend.Fault.allCases.count, "\(kind)") }
        #expect((8_000...20_000).contains(reasons[CoreScriptError.none] ?? 0), "\(reasons)")
        #expect(reasons.count >= 15, "\(reasons)")
        try await jury.agree()
    }
}

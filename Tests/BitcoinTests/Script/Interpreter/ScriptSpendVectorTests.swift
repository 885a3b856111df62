import Bitcoin
import TestSupport
import Testing

/// Random scripts, wrapped in every way, whose results another engine computed, and Core's own code confirms.
@Suite struct ScriptSpendVectorTests {
    @Test func resultsAreThoseOfAnotherEngine() async throws {
        let rows = try Vectors.load("computed/script_spends.json")
        #expect(rows.countsByKind == ["spend": 494])
        var results = Set<String>()
        var jury = ScriptJury()
        for row in rows {
            let transaction = try Transaction(serialized: try row.bytes("transaction"))
            let outputs = try row.objects("spent_outputs").map {
                TransactionOutput(
                    value: Int64(try $0.number("value")), scriptPubKey: Script(try $0.bytes("script_pub_key")))
            }
            let rules = try row.texts("flags").reduce(into: ScriptRules()) {
                $0.insert(try #require($1 == "DISCOURAGE_UPGRADABLE" ? .noUpgradable : ScriptRules.flags[$1]))
            }
            let found = jury.failure(transaction, spending: outputs, rules: rules, row.testDescription)
            let expected = try row.text("result")
            #expect(
                CoreScriptError.name(of: found) == CoreScriptError.coarse(expected), "\(row.testDescription)")
            results.insert(expected)
        }
        #expect(results.count == 51)
        try await jury.agree()
    }
}

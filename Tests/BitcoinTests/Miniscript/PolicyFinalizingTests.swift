import TestSupport
import Testing

@testable import Bitcoin

/// Inputs of random policies are finalized when the policy is met, and only then; what is final is verified.
@Suite struct PolicyFinalizingTests {
    private let keys: [PrivateKey]

    init() throws {
        keys = try (1...12).map { try PrivateKey(SecretBytes([UInt8](repeating: UInt8($0), count: 32))) }
    }

    @Test(arguments: [false, true]) func whatIsMetIsFinalAndVerified(_ isNested: Bool) async throws {
        var jury = ScriptJury()
        var random = SeededGenerator()
        var expressions = RandomMiniscript(SeededGenerator(for: "finalizing"))
        var (final, open) = (0, 0)
        while final < 100 || open < 50 {
            let expression = expressions.next()
            guard expression.fault(comparing: { $0 }) == nil else { continue }
            let spend = MiniscriptSpend(expression, keys: keys, isNested: isNested, using: &random)
            var psbt = try spend.psbt()
            guard spend.isAllowed else {
                // Of what is a template, too, it is counted what is missing.
                let isTemplate = if case .nonStandard = ScriptTemplate(spend.script) { false } else { true }
                #expect((try psbt.finalizeInputs() == [.policyNotMet]) == !isTemplate, "\(expression.written)")
                #expect(!psbt.isFinalized, "\(expression.written)")
                open += 1
                continue
            }
            #expect(try psbt.finalizeInputs() == [.finalized], "\(expression.written)")
            let cache = SighashCache(psbt.unsignedTransaction)
            #expect(try psbt.verifyFinalScripts(ofInput: 0, using: cache) == .verified, "\(expression.written)")
            let failures = jury.judge(psbt, input: 0, under: [[], .standard], expression.written)
            #expect(failures == [nil, nil], "\(expression.written)")
            var witness = try #require(psbt.inputs[0].finalWitness)
            witness[0] = witness[0].isEmpty ? [1] : []
            psbt[input: 0].finalWitness = witness
            #expect(throws: PSBTError.self, "\(expression.written)") {
                try psbt.verifyFinalScripts(ofInput: 0, using: cache)
            }
            final += 1
        }
        try await jury.agree()
    }
}

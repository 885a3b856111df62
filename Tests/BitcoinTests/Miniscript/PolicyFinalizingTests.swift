import TestSupport
import Testing

@testable import Bitcoin

/// Inputs of random policies are finalized when the policy is met, and only then; what is final is verified.
@Suite struct PolicyFinalizingTests {
    private let keys: [PrivateKey]

    init() throws {
        keys = try (1...12).map { try PrivateKey(SecretBytes([UInt8](repeating: UInt8($0), count: 32))) }
    }

    /// A key that only its hash stands for in the script must be shown, even if it does not sign.
    @Test(arguments: [(0, false, true), (0, true, true), (1, true, true), (1, false, false)])
    func keysBehindHashesComeFromWhereverThePSBTHasThem(
        _ signer: Int, _ hasDerivations: Bool, _ isFinal: Bool
    ) throws {
        let hashed = try Miniscript(.wrapped(.check, Miniscript(.pkH(0))))
        let expression = try Miniscript(.orD(hashed, Miniscript(.wrapped(.check, Miniscript(.pkK(1))))))
        let path = try #require(SpendingPolicy(expression).paths?.first)
        var random = SeededGenerator()
        let means = MiniscriptMeans(of: path, using: &random).signed(by: signer..<(signer + 1))
        var psbt = try MiniscriptSpend(expression, keys: keys, means: means).psbt()
        if !hasDerivations {
            psbt[input: 0].map.removeAll { $0.type == PSBTInputType.derivation.rawValue }
        }
        #expect(try psbt.finalizeInputs() == [isFinal ? .finalized : .policyNotMet])
        guard isFinal else { return }
        let cache = SighashCache(psbt.unsignedTransaction)
        #expect(try psbt.verifyFinalScripts(ofInput: 0, using: cache) == .verified)
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

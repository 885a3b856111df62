import ByteCodec
import TestSupport
import Testing

@testable import Bitcoin

/// Random expressions in a leaf of taproot are spent with random signatures, preimages and locks: whatever the policy allows
/// is found, fits the predicted size, and is accepted by our interpreter and by Bitcoin Core's own code; nothing else is.
@Suite struct TapscriptSpendingTests {
    private let keys: [SmallSchnorrKey]

    init() throws { keys = try (1...12).map { try SmallSchnorrKey($0) } }

    /// The signatures of these tests are signatures.
    @Test func smallKeysSign() throws {
        for number in 1...255 as ClosedRange<UInt8> {
            let key = try SmallSchnorrKey(number)
            let digest = try #require(Digest(SHA256.hash([number])))
            #expect(
                SchnorrSignature.isValid(try key.signature(of: digest), for: digest.bytes, publicKey: key.xOnly),
                "\(number)")
        }
    }

    @Test func whatThePolicyAllowsIsSpentAndNothingElse() async throws {
        var random = SeededGenerator(for: "tapscript spends")
        var expressions = RandomMiniscript(SeededGenerator(for: "tapscript spending"), in: .tapscript)
        var jury = ScriptJury()
        var (spent, refused, sane) = (0, 0, 0)
        while sane < 400 {
            let expression = expressions.next()
            guard expression.fault(comparing: { $0 }) == nil else { continue }
            sane += 1
            for _ in 0..<3 {
                let spend = try TapscriptSpend(expression, keys: keys, using: &random)
                if spend.expectSpent(before: &jury) { spent += 1 } else { refused += 1 }
            }
        }
        #expect(spent > 300 && refused > 150, "\(spent) \(refused)")
        try await jury.agree()
    }

    /// Of expressions that are not safe, too, every witness is valid that is found.
    @Test func whateverIsFoundIsValid() async throws {
        var random = SeededGenerator(for: "tapscript spends")
        var expressions = RandomMiniscript(SeededGenerator(for: "tapscript spending"), in: .tapscript)
        var jury = ScriptJury()
        while jury.count < 200 {
            let expression = expressions.next()
            let spend = try TapscriptSpend(expression, keys: keys, using: &random)
            guard let witness = spend.witness else { continue }
            spend.expectValid(witness, before: &jury)
        }
        try await jury.agree()
    }
}

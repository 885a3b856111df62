import ByteCodec
import TestSupport
import Testing

@testable import Bitcoin

/// Bitcoin Core's finalizer, with the same signatures and preimages, finds a witness for the same inputs, and none that is
/// smaller. It would for a `thresh` with a part that anybody can satisfy and that is larger than a signature, such as three
/// preimages: others could alter that (see `SatisfactionChoiceTests`). Random expressions hardly ever have one.
@Suite(.fewAtATime) struct CoreFinalizerTests {
    @Test func coreMakesNoSmallerWitness() async throws {
        var random = SeededGenerator()
        var trees = RandomPolicyTree(SeededGenerator(for: "Core's finalizer"))
        var expressions = RandomMiniscript(SeededGenerator(for: "Core's finalizer, too"))
        let node = try await BitcoinNode.start()
        var (final, open) = (0, 0)
        while final < 150 || open < 30 {
            let isTree = Bool.random(using: &random)
            let expression = isTree ? trees.next().expression : expressions.next()
            guard expression.fault(comparing: { $0 }) == nil else { continue }
            let spend = MiniscriptSpend(
                expression, keys: RandomMiniscript.keys, isNested: !isTree && Bool.random(using: &random),
                using: &random)
            let psbt = try spend.psbt()
            let answer = try await node.call(
                "finalizepsbt", String(decoding: Base64.encodeUTF8(psbt.serialized()), as: UTF8.self), false,
                as: [String: Any].self)
            let theirs = try PSBT(fileContent: Array(#require(answer["psbt"] as? String).utf8)).inputs[0].finalWitness
            var own = psbt
            try own.finalizeInputs()
            let witness = own.inputs[0].finalWitness
            #expect(witness.map(Self.size) == theirs.map(Self.size), "\(expression.written)")
            if witness == nil { open += 1 } else { final += 1 }
        }
        try await node.stop()
    }

    private static func size(_ witness: [[UInt8]]) -> Int { witness.reduce(0) { $0 + $1.count + 1 } }
}

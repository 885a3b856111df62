import ByteCodec
import TestSupport
import Testing

@testable import Bitcoin

@Suite struct TaprootSighashTests {
    @Test func digestsAreThoseOfBIP341() throws {
        var (count, types) = (0, Set<Int>())
        for row in try Vectors.load("bips/bip341_wallet.json", kinds: ["key_path_spending"]) {
            let given = try row.object("given")
            let transaction = try Transaction(serialized: try given.bytes("rawUnsignedTx"))
            let sighash = try #require(TaprootSighash(transaction, spentOutputs: try Self.spentOutputs(given)))
            for spend in try row.objects("inputSpending") {
                let (given, intermediary) = (try spend.object("given"), try spend.object("intermediary"))
                let type = SighashType(rawValue: UInt32(try given.number("hashType")))
                let digest = sighash.digest(input: try given.number("txinIndex"), type: type)
                #expect(digest == (try intermediary.digest("sigHash")))
                let message = try intermediary.bytes("sigMsg")
                #expect(digest?.bytes == SHA256.taggedHash("TapSighash", message.first == 0 ? message : [0] + message))
                types.insert(try given.number("hashType"))
                count += 1
            }
        }
        #expect(count == 7)
        #expect(types == [0, 1, 2, 3, 129, 130, 131])
    }

    /// The fully signed transaction of the BIP: key paths beside old inputs; each verifies and no altered one does.
    @Test func theSignedTransactionOfBIP341Verifies() async throws {
        let row = try #require(try Vectors.load("bips/bip341_wallet.json", kinds: ["key_path_spending"]).first)
        let signed = try Transaction(serialized: try row.object("auxiliary").bytes("fullySignedTx"))
        let outputs = try Self.spentOutputs(try row.object("given"))
        var jury = ScriptJury()
        for index in signed.inputs.indices {
            #expect(jury.failure(signed, spending: outputs, input: index, rules: .standard) == nil, "input \(index)")
            var altered = outputs
            altered[index].value += 1
            let failure = jury.failure(signed, spending: altered, input: index)
            // The old digest is the only one that does not cover the amount.
            let isLegacy = signed.inputs[index].witness.isEmpty
            #expect((failure == nil) == isLegacy, "input \(index)")
        }
        #expect(signed.inputs.count == 9)
        #expect(jury.failure(signed, spending: outputs, input: 9) == .noSuchInput)
        try await jury.agree()
        #expect(SpendVerifier(signed, spentOutputs: Array(outputs.dropLast())) == nil)
    }

    @Test func unknownTypesHaveNoDigest() throws {
        let transaction = LegacySighashTests.transaction(inputs: 2, outputs: 1)
        let outputs = [TransactionOutput](
            repeating: TransactionOutput(amount: .zero, scriptPubKey: Script()), count: 2)
        let sighash = try #require(TaprootSighash(transaction, spentOutputs: outputs))
        for byte in UInt32(0)...0x102 {
            let isKnown = [0, 1, 2, 3, 0x81, 0x82, 0x83].contains(byte)
            let type = SighashType(rawValue: byte)
            #expect((sighash.digest(input: 0, type: type) != nil) == isKnown, "type \(byte)")
            #expect((sighash.digest(input: 1, type: type) != nil) == (isKnown && byte & 3 != 3), "type \(byte)")
            #expect(sighash.digest(input: 2, type: type) == nil)
        }
        #expect(TaprootSighash(transaction, spentOutputs: []) == nil)
    }

    private static func spentOutputs(_ given: VectorRow) throws -> [TransactionOutput] {
        try given.objects("utxosSpent").map {
            TransactionOutput(
                value: Int64(try $0.number("amountSats")), scriptPubKey: Script(try $0.bytes("scriptPubKey")))
        }
    }
}

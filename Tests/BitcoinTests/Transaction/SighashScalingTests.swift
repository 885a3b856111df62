import Bitcoin
import TestSupport
import Testing

/// Digests are computed in time that grows as the transaction does: one of an input without witness, and of inputs with
/// witnesses all together.
///
/// All digests of inputs without witness take time with the square of their number, as consensus has it: each is over the
/// whole transaction. What bounds them is the size of a transaction.
@Suite struct SighashScalingTests {
    private static let types: [SighashType] = [SighashType.all, .none, .single].flatMap { [$0, $0.withAnyoneCanPay] }
    private static let script = Script([0x00, 0x14] + [UInt8](repeating: 7, count: 20))
    private static let output = TransactionOutput(value: 1_000, scriptPubKey: script)

    private func transaction(inputs: Int, outputs: Int) throws -> Transaction {
        let id = try #require(TransactionID([UInt8](repeating: 1, count: 32)))
        return Transaction(
            inputs: (0..<inputs).map { TransactionInput(outpoint: Outpoint(transactionID: id, index: UInt32($0))) },
            outputs: .init(repeating: Self.output, count: outputs))
    }

    @Test func oneInputWithoutWitness() throws {
        for type in Self.types {
            try Scaling.expectLinear("inputs and outputs, \(type)", upTo: 1 << 14) { size in
                try transaction(inputs: size, outputs: size)
            } work: { transaction in
                let digest = try SighashCache(transaction).legacyDigest(
                    input: transaction.inputs.count / 2, scriptCode: Self.script, type: type)
                #expect(digest != Digest(hashing: []))
            }
        }
        try Scaling.expectLinear("operations of a script", upTo: 1 << 18) { size in
            Script([UInt8](repeating: 0xAB, count: size))
        } work: { script in
            let digest = try SighashCache(transaction(inputs: 1, outputs: 1))
                .legacyDigest(input: 0, scriptCode: script, type: .all)
            #expect(digest != Digest(hashing: []))
        }
    }

    @Test func allInputsWithWitnesses() throws {
        for type in Self.types {
            try Scaling.expectLinear("inputs of version 0, \(type)", upTo: 1 << 14) { size in
                try transaction(inputs: size, outputs: size)
            } work: { transaction in
                let cache = SighashCache(transaction)
                for index in transaction.inputs.indices {
                    _ = try cache.segwitV0Digest(input: index, scriptCode: Self.script, amount: .zero, type: type)
                }
            }
            try Scaling.expectLinear("taproot inputs, \(type)", upTo: 1 << 14) { size in
                try transaction(inputs: size, outputs: size)
            } work: { transaction in
                let spent = [TransactionOutput](repeating: Self.output, count: transaction.inputs.count)
                let cache = try #require(TaprootSighash(transaction, spentOutputs: spent))
                for index in transaction.inputs.indices {
                    #expect(cache.digest(input: index, type: type) != nil)
                }
            }
        }
    }
}

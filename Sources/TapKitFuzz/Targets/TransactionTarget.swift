import Bitcoin

/// Transactions as the network and PSBTs carry them: fully parsed, or only measured.
enum TransactionTarget: FuzzTarget {
    static let name = "transaction"

    static func run(_ bytes: [UInt8]) throws {
        let previous = try? PreviousTransaction(serialized: bytes[...])
        if let old = try? Transaction(serialized: bytes, allowsWitnesses: false) {
            expectSame(old.serialized(.withoutWitnesses), bytes, "the old form is written as it was read")
        }
        let transaction: Transaction
        do { transaction = try Transaction(serialized: bytes) } catch {
            expect(previous == nil, "anything but a transaction is not a previous one")
            throw error
        }
        expectSame(transaction.serialized(), bytes, "a transaction is written as it was read")

        let stripped = transaction.serialized(.withoutWitnesses)
        expect(stripped.count <= bytes.count, "witnesses take space")
        expectSame(transaction.weight, 3 * stripped.count + bytes.count, "weight is what BIP-141 says")

        let measured = required(previous, "a transaction can be a previous one")
        expectSame(measured.txid, transaction.id, "both readers find the same id")
        expectSame(measured.outputCount, transaction.outputs.count, "both readers count the same outputs")
        for (index, output) in transaction.outputs.enumerated() {
            expectSame(measured.output(at: UInt32(index)), output, "both readers find the same output")
        }
        expect(measured.output(at: UInt32(transaction.outputs.count)) == nil, "there is no output behind the last")
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        try vectors.hexadecimal(in: [
            "bitcoin-core/tx_valid.json", "bitcoin-core/tx_invalid.json", "bitcoin-core/sighash.json",
            "bips/bip143.json",
            "bips/bip341_wallet.json",
        ])
    }
}

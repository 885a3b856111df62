import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct PreviousTransactionTests {
    /// Transactions with and without witnesses, from the vectors.
    private static func samples() throws -> [[UInt8]] {
        let carried = try PSBTVectors.allValid().flatMap { try PSBT(serialized: $0).inputs }
            .compactMap { $0.nonWitnessUTXO.map { Array($0.bytes) } }
        return carried + [
            try PSBTVectors.row("extractor").bytes("transaction"),
            Transaction(inputs: [], outputs: []).serialized(),
            Transaction(inputs: [], outputs: [TransactionOutput(value: -1, scriptPubKey: Script())]).serialized(
                .withoutWitnesses),
        ]
    }

    @Test func agreesWithTransaction() throws {
        let samples = try Self.samples()
        #expect(samples.count > 20)
        for bytes in samples { try expectAgreement(on: bytes) }
    }

    @Test func agreesWithTransactionOnDamagedBytes() throws {
        let samples = try Self.samples()
        var generator = SeededGenerator()
        for round in 0..<5_000 {
            let sample = samples[round % samples.count]
            try expectAgreement(on: generator.damaged(sample))
        }
    }

    @Test func refusesOtherFlagsAndEmptyWitnesses() {
        let flagged: [UInt8] = [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0]
        #expect(throws: Transaction.ParsingError.witnessFlag(2)) { try PreviousTransaction(serialized: flagged[...]) }
        let empty: [UInt8] = [2, 0, 0, 0, 0, 1, 1] + .zeros(41) + [0, 0, 0, 0, 0, 0]
        #expect(throws: Transaction.ParsingError.emptyWitnesses) { try PreviousTransaction(serialized: empty[...]) }
    }

    private func expectAgreement(on bytes: [UInt8]) throws {
        let transaction = try? Transaction(serialized: bytes)
        let padded: [UInt8] = [1, 2, 3] + bytes + [4]
        let previous = try? PreviousTransaction(serialized: padded[3..<padded.count - 1])
        #expect((previous == nil) == (transaction == nil), "\(Hex.encode(bytes))")
        guard let transaction, let previous else { return }
        #expect(previous.txid == transaction.id)
        #expect(previous.outputCount == transaction.outputs.count)
        for (index, output) in transaction.outputs.enumerated() {
            #expect(previous.output(at: UInt32(index)) == output)
        }
        #expect(previous.output(at: UInt32(transaction.outputs.count)) == nil)
        #expect(previous.output(at: .max) == nil)
        #expect(Array(previous.bytes) == bytes)
    }
}

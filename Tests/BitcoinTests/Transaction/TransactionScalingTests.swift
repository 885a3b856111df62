import Bitcoin
import ByteCodec
import TestSupport
import Testing

/// Transactions and scripts are read in time that grows as they do.
@Suite struct TransactionScalingTests {
    private static let input = TransactionInput(
        outpoint: Outpoint(transactionID: Transaction(inputs: [], outputs: []).id, index: 0), witness: [[1]])
    private static let output = TransactionOutput(value: 1, scriptPubKey: Script([0x51]))

    private func expectLinear(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ transaction: (Int) -> Transaction
    ) throws {
        try Scaling.expectLinear(what, upTo: 1 << 19, sourceLocation: sourceLocation) { size in
            transaction(size).serialized()
        } work: { bytes in
            _ = try Transaction(serialized: bytes).id
            _ = try PreviousTransaction(serialized: bytes[...])
        }
    }

    @Test func parts() throws {
        try expectLinear("inputs") { size in
            Transaction(inputs: .init(repeating: Self.input, count: size), outputs: [Self.output])
        }
        try expectLinear("outputs") { size in
            Transaction(inputs: [Self.input], outputs: .init(repeating: Self.output, count: size))
        }
        try expectLinear("elements of a witness") { size in
            var input = Self.input
            input.witness = .init(repeating: [1, 2], count: size)
            return Transaction(inputs: [input], outputs: [Self.output])
        }
        try expectLinear("bytes of a script") { size in
            let script = Script([UInt8](repeating: 0x51, count: size))
            return Transaction(inputs: [Self.input], outputs: [TransactionOutput(value: 1, scriptPubKey: script)])
        }
    }

    /// The last output of a transaction is found behind all others.
    @Test func lastOutput() throws {
        try Scaling.expectLinear("outputs in front of one") { size in
            try PreviousTransaction(
                Transaction(inputs: [Self.input], outputs: .init(repeating: Self.output, count: size)))
        } work: { previous in
            #expect(previous.output(at: UInt32(previous.outputCount - 1)) == Self.output)
        }
    }

    @Test func scripts() throws {
        let key: [UInt8] = [33, 2] + [UInt8](repeating: 9, count: 32)
        let samples: [(String, [UInt8], [UInt8])] = [
            ("keys of a multisig", key, [0x01, 0x20, 0xAE]), ("opcodes", [0x76], []), ("pushes", [2, 1, 2], []),
            ("pushes that are cut off", [0x4D, 0xFF], []),
        ]
        for (what, piece, end) in samples {
            try Scaling.expectLinear(what) { size in
                var bytes: [UInt8] = [0x51]
                for _ in 0..<size { bytes += piece }
                return Script(bytes + end)
            } work: { script in
                #expect(ScriptTemplate(script) == .nonStandard)
                var iterator = ScriptElementIterator(script)
                while iterator.next() != nil {}
                #expect(!script.description.isEmpty)
            }
        }
    }
}

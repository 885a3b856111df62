import TestSupport
import Testing

@testable import Bitcoin

/// In version 2, inputs that cannot be spent without a lock time say that they require it.
@Suite struct RequiredLockTimeTests {
    private static let keys = (1...3).map { number in
        (try? PrivateKey(SecretBytes([UInt8](repeating: UInt8(number), count: 32))).publicKey.description) ?? ""
    }

    /// Inputs that spend the expressions' outputs, K0 to K2 standing for keys.
    private func psbt(_ expressions: [String], lockTime: UInt32, sequence: UInt32 = 0xFFFF_FFFE) throws -> PSBT {
        let scripts = try expressions.map { expression in
            let text = Self.keys.indices.reduce(expression) { $0.replacing("K\($1)", with: Self.keys[$1]) }
            return try #require(try Descriptor(parsing: "wsh(\(text))").spending().witnessScript)
        }
        let inputs = scripts.indices.map {
            TransactionInput(
                outpoint: Outpoint(transactionID: TransactionID(hashing: [1]), index: UInt32($0)), sequence: sequence)
        }
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: inputs, outputs: [TransactionOutput(value: 1_000, scriptPubKey: Script([0x51]))],
                lockTime: lockTime))
        for (index, script) in scripts.enumerated() {
            psbt[input: index].witnessUTXO = TransactionOutput(value: 2_000, scriptPubKey: .p2wsh(script))
            psbt[input: index].witnessScript = script
        }
        return psbt
    }

    private static let late = "and_v(v:pk(K0),after(900000))"
    private static let dated = "and_v(v:pk(K0),after(1700000000))"

    @Test(
        arguments: [
            // Without the height there is no way; with it, it is what the transaction has.
            (late, 900_000, 0xFFFF_FFFE, 900_000, nil), (late, 900_123, 0xFFFF_FFFE, 900_123, nil),
            (dated, 1_700_000_001, 0xFFFF_FFFE, nil, 1_700_000_001),
            ("or_d(pk(K0),and_v(v:pkh(K1),after(900000)))", 900_000, 0xFFFF_FFFE, nil, nil),
            // The way without a lock time is closed, and open.
            ("or_i(and_v(v:pk(K0),older(10)),and_v(v:pk(K1),after(5)))", 5, 0xFFFF_FFFE, 5, nil),
            ("or_i(and_v(v:pk(K0),older(10)),and_v(v:pk(K1),after(5)))", 5, 10, nil, nil),
            // The transaction opens nothing.
            (late, 899_999, 0xFFFF_FFFE, nil, nil), (late, 900_000, 0xFFFF_FFFF, nil, nil),
            (late, 0, 0xFFFF_FFFE, nil, nil), (dated, 900_000, 0xFFFF_FFFE, nil, nil),
            ("multi(1,K0,K1)", 900_000, 0xFFFF_FFFE, nil, nil), ("and_v(v:pk(K0),older(10))", 900_000, 10, nil, nil),
        ] as [(String, UInt32, UInt32, UInt32?, UInt32?)])
    func whatIsRequired(
        _ expression: String, _ lockTime: UInt32, _ sequence: UInt32, _ height: UInt32?, _ time: UInt32?
    ) throws {
        let psbt = try psbt(["multi(1,K0,K1)", expression], lockTime: lockTime, sequence: sequence)
        let converted = try psbt.converted(to: .v2)
        #expect(converted.inputs.map(\.requiredHeightLockTime) == [nil, height])
        #expect(converted.inputs.map(\.requiredTimeLockTime) == [nil, time])
        #expect(converted.unsignedTransaction == psbt.unsignedTransaction)
        let read = try PSBT(serialized: converted.serialized())
        #expect(read.unsignedTransaction == psbt.unsignedTransaction)
        #expect(try read.converted(to: .v0).serialized() == psbt.serialized())
    }

    /// Whoever joins an input with a later lock time gets a later transaction; a fallback alone would not say that it may
    /// not be earlier.
    @Test func theTransactionFollowsWhatInputsRequire() throws {
        let demands = try ([900_000, 900_050] as [UInt32]).map { lockTime in
            let converted = try psbt([Self.late], lockTime: lockTime).converted(to: .v2)
            return try #require(converted.inputs.map { LockTimeDemand($0.map) }.first)
        }
        #expect(try LockTimeDemand.lockTime(of: demands, fallback: 0) == 900_050)
    }
}

import Bitcoin
import ByteCodec
import Testing

@Suite struct ScriptTemplateTests {
    private static let hash = [UInt8](1...20)
    private static let program = [UInt8](1...32)
    private static let generator = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
    private static let compressed = "02" + generator
    private static let uncompressed =
        "04" + generator + "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"

    @Test func standardScriptsAreRead() throws {
        let (hash, program) = (Self.hash, Self.program)
        let hex = Hex.encode(hash)
        let long = Hex.encode(program)
        let expected: [(String, ScriptTemplate)] = [
            ("76a914\(hex)88ac", .p2pkh(keyHash: hash)),
            ("a914\(hex)87", .p2sh(scriptHash: hash)),
            ("0014\(hex)", .p2wpkh(keyHash: hash)),
            ("0020\(long)", .p2wsh(scriptHash: program)),
            ("5120\(long)", .p2tr(outputKey: program)),
            ("51024e73", .futureWitness(version: 1, program: [0x4E, 0x73])),
            ("5220\(long)", .futureWitness(version: 2, program: program)),
            ("6002abcd", .futureWitness(version: 16, program: [0xAB, 0xCD])),
            ("21\(Self.compressed)ac", .p2pk(publicKey: try Hex.decode(Self.compressed))),
            ("41\(Self.uncompressed)ac", .p2pk(publicKey: try Hex.decode(Self.uncompressed))),
            ("6a", .nullData(payload: [])),
            ("6a020102", .nullData(payload: [2, 1, 2])),
            ("6a5d", .nullData(payload: [0x5D])),
        ]
        for (script, template) in expected {
            #expect(ScriptTemplate(Script(try Hex.decode(script))) == template, "\(script)")
        }
    }

    @Test func almostStandardScriptsAreNot() throws {
        let hex = Hex.encode(Self.hash)
        let scripts = [
            "", "00", "51", "76a914\(hex)88", "76a914\(hex)88acac", "76a913\(hex)88ac", "76a94c14\(hex)88ac",
            "a914\(hex)88", "a94c14\(hex)87", "0013\(hex.dropLast(2))", "0015\(hex)00", "4c0014\(hex)", "004c14\(hex)",
            "4f14\(hex)", "5014\(hex)", "6114\(hex)", "5101aa", "5129\(Hex.encode([UInt8](repeating: 1, count: 41)))",
            "21\(Self.compressed)", "21\(Self.compressed)ad", "2104\(Self.generator)ac",
            "4102\(Self.uncompressed.dropFirst(2))ac", "6aac", "6a01", "6a4c", "ac", "ae", "5151ae",
        ]
        for script in scripts {
            #expect(ScriptTemplate(Script(try Hex.decode(script))) == .nonStandard, "\(script)")
        }
    }

    @Test func constructorsMakeWhatTheTemplatesRead() throws {
        let key = try PublicKey(Hex.decode(Self.compressed))
        let inner = Script([0x51])
        #expect(ScriptTemplate(.p2pk(key)) == .p2pk(publicKey: key.bytes))
        #expect(ScriptTemplate(.p2pkh(key)) == .p2pkh(keyHash: key.hash160))
        #expect(ScriptTemplate(.p2wpkh(key)) == .p2wpkh(keyHash: key.hash160))
        #expect(ScriptTemplate(.p2sh(inner)) == .p2sh(scriptHash: Hash160.hash(inner.bytes)))
        #expect(ScriptTemplate(.p2wsh(inner)) == .p2wsh(scriptHash: SHA256.hash(inner.bytes)))
        #expect(ScriptTemplate(.nullData([1, 2])) == .nullData(payload: [2, 1, 2]))
        #expect(Script.p2pkh(keyHash: key.hash160) == .p2pkh(key))
        #expect(Script.p2wpkh(keyHash: key.hash160) == .p2wpkh(key))
        #expect(Script.p2sh(scriptHash: Hash160.hash(inner.bytes)) == .p2sh(inner))
        #expect(Script.p2wsh(scriptHash: SHA256.hash(inner.bytes)) == .p2wsh(inner))
        let output = try TaprootOutputKey(key)
        #expect(ScriptTemplate(.p2tr(output)) == .p2tr(outputKey: output.bytes))
    }

    @Test func constructorsRefuseOtherLengths() {
        for count in [0, 19, 21, 32] {
            let hash = [UInt8](repeating: 1, count: count)
            #expect(Script.p2pkh(keyHash: hash) == nil && Script.p2sh(scriptHash: hash) == nil)
            #expect(Script.p2wpkh(keyHash: hash) == nil)
            #expect((Script.p2wsh(scriptHash: hash) == nil) == (count != 32))
        }
        #expect(Script.witness(version: 17, program: Self.program) == nil)
        #expect(Script.witness(version: 0, program: [1, 2]) == nil)
        #expect(Script.witness(version: 1, program: [1]) == nil)
        #expect(Script.witness(version: 1, program: [UInt8](repeating: 1, count: 41)) == nil)
        #expect(Script.witness(version: 16, program: [1, 2])?.bytes == [0x60, 2, 1, 2])
    }

    @Test func whatCannotBeSpentIsSeen() {
        #expect(Script([0x6A]).isProvablyUnspendable && Script([0x6A, 0x01]).isProvablyUnspendable)
        #expect(!Script([0x51, 0x6A]).isProvablyUnspendable && !Script().isProvablyUnspendable)
        #expect(!Script([UInt8](repeating: 0x51, count: 10_000)).isProvablyUnspendable)
        #expect(Script([UInt8](repeating: 0x51, count: 10_001)).isProvablyUnspendable)
    }
}

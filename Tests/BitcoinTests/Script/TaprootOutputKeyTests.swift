import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct TaprootOutputKeyTests {
    @Test func outputsAreThoseOfBIP341() throws {
        let rows = try Vectors.load("bips/bip341_wallet.json")
        #expect(rows.countsByKind == ["script_pubkey": 7, "key_path_spending": 1])
        for row in rows where row.kind == "script_pubkey" {
            let (given, intermediary) = (try row.object("given"), try row.object("intermediary"))
            let expected = try row.object("expected")
            let merkleRoot =
                given["scriptTree", as: [String: Any].self] == nil && given["scriptTree", as: [Any].self] == nil
                ? nil : try intermediary.bytes("merkleRoot")
            let key = try TaprootOutputKey(internalKey: given.bytes("internalPubkey"), merkleRoot: merkleRoot)
            #expect(key.bytes == (try intermediary.bytes("tweakedPubkey")), "\(row.testDescription)")
            let script = Script.p2tr(key)
            #expect(script.bytes == (try expected.bytes("scriptPubKey")))
            #expect(ScriptTemplate(script) == .p2tr(outputKey: key.bytes))
            let address = try Address(parsing: try expected.text("bip350Address"), network: .main)
            #expect(address.scriptPubKey == script)
            #expect(Address(scriptPubKey: script, network: .main) == address)
        }
    }

    @Test func spentOutputsAreRecognized() throws {
        for row in try Vectors.load("bips/bip341_wallet.json", kinds: ["key_path_spending"]) {
            let spent = try row.object("given").objects("utxosSpent")
            #expect(spent.count == 9)
            let taproot = try spent.filter {
                if case .p2tr = ScriptTemplate(Script(try $0.bytes("scriptPubKey"))) { true } else { false }
            }
            #expect(taproot.count == 7)
        }
    }

    @Test func whatIsWrongIsNamed() {
        let zeros = [UInt8](repeating: 0, count: 32)
        let x = [UInt8](repeating: 0, count: 31) + [1]
        #expect(throws: KeyError.notOnCurve) { try TaprootOutputKey(internalKey: zeros) }
        #expect(throws: KeyError.notOnCurve) { try TaprootOutputKey(internalKey: [UInt8](repeating: 0xFF, count: 32)) }
        #expect(throws: KeyError.length(31)) { try TaprootOutputKey(internalKey: zeros.dropLast()) }
        #expect(throws: KeyError.length(33)) { try TaprootOutputKey(internalKey: x, merkleRoot: zeros + [0]) }
        #expect(throws: Never.self) { try TaprootOutputKey(internalKey: x, merkleRoot: zeros) }
    }
}

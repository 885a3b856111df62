import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct MultisigScriptTests {
    @Test func sortsAsBIP67() throws {
        let rows = try Vectors.load("bips/bip67.json")
        #expect(rows.countsByKind == ["sorted_multisig": 4])
        for row in rows {
            let keys = try #require(row["keys", as: [String].self]).map { try PublicKey(Hex.decode($0)) }
            let multisig = try MultisigScript(threshold: try row.number("threshold"), sorting: keys)
            #expect(multisig.keys.map { Hex.encode($0) } == row["sorted_keys", as: [String].self])
            #expect(multisig.isSorted)
            let script = multisig.script
            #expect(script.bytes == (try row.bytes("redeem_script")), "\(row.testDescription)")
            #expect(MultisigScript(script) == multisig && ScriptTemplate(script) == .multisig(multisig))
            #expect(Script.p2sh(script).bytes == (try row.bytes("script_pubkey")), "\(row.testDescription)")
            #expect(Script.p2wsh(script).bytes == (try row.bytes("p2wsh_script_pubkey")), "\(row.testDescription)")
            for (network, field) in [(Network.main, "address"), (.test, "address_testnet")] {
                let address = Address(scriptPubKey: .p2sh(script), network: network)
                #expect(address?.description == (try row.text(field)), "\(row.testDescription)")
            }
            let unsorted = try MultisigScript(threshold: 1, keys: multisig.keys.reversed())
            #expect(!unsorted.isSorted && MultisigScript(unsorted.script) == unsorted)
        }
    }

    @Test func uncompressedKeysAreNeverSorted() throws {
        let multisig = try MultisigScript(threshold: 1, keys: [Self.key(2), [4] + [UInt8](repeating: 9, count: 64)])
        #expect(!multisig.isSorted && MultisigScript(multisig.script) == multisig)
    }

    @Test func limitsAreThoseOfConsensus() throws {
        let many = (1...21).map { Self.key(UInt8($0)) }
        for count in 1...20 {
            let multisig = try MultisigScript(threshold: count, keys: Array(many.prefix(count)))
            #expect(MultisigScript(multisig.script) == multisig)
        }
        #expect(try MultisigScript(threshold: 16, keys: Array(many.prefix(16))).script.bytes.suffix(2) == [0x60, 0xAE])
        #expect(try MultisigScript(threshold: 1, keys: Array(many.prefix(17))).script.bytes.suffix(3) == [1, 17, 0xAE])
        #expect(throws: MultisigScript.Failure.keyCount(21)) { try MultisigScript(threshold: 1, keys: many) }
        #expect(throws: MultisigScript.Failure.keyCount(0)) { try MultisigScript(threshold: 1, keys: []) }
        #expect(throws: MultisigScript.Failure.threshold(0)) { try MultisigScript(threshold: 0, keys: many.dropLast()) }
        #expect(throws: MultisigScript.Failure.threshold(3)) {
            try MultisigScript(threshold: 3, keys: Array(many.prefix(2)))
        }
        #expect(throws: MultisigScript.Failure.keyEncoding(index: 1)) {
            try MultisigScript(threshold: 1, keys: [Self.key(1), [5] + [UInt8](repeating: 1, count: 32)])
        }
    }

    @Test func scriptsThatAreAlmostMultisigAreNot() throws {
        let key = [33] + Self.key(7)
        let wrong: [[UInt8]] = [
            [0x51] + key + [0x51],  // no operation
            [0x51] + key + [0x51, 0xAF],  // the verifying one
            [0x51] + key + [0x52, 0xAE],  // two announced
            [0x52] + key + [0x51, 0xAE],  // two needed
            [0x00] + key + [0x51, 0xAE],  // none needed
            [0x01, 0x01] + key + [0x51, 0xAE],  // a long number
            [0x51] + key + [0x01, 0x01, 0xAE],
            [0x51, 0x4C] + key + [0x51, 0xAE],  // a long push
            [0x51] + key + [0x51, 0xAE, 0xAE],  // more behind
            [0x51] + key + [0x51, 0x61, 0xAE],
            [0x51, 0x51, 0xAE],
            [0x51] + key.dropLast() + [0x51, 0xAE],  // a push that swallows the end
            [0x51, 32] + Self.key(7).dropLast() + [0x51, 0xAE],
        ]
        for bytes in wrong { #expect(MultisigScript(Script(bytes)) == nil, "\(Hex.encode(bytes))") }
        #expect(MultisigScript(Script([0x51] + key + [0x51, 0xAE])) != nil)
    }

    private static func key(_ filler: UInt8) -> [UInt8] { [2] + [UInt8](repeating: filler, count: 32) }
}

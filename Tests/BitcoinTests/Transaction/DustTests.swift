import Bitcoin
import ByteCodec
import Testing

@Suite struct DustTests {
    /// The limits that Bitcoin Core's default `-dustrelayfee` gives.
    @Test func limitsAreThoseOfBitcoinCore() throws {
        let hash = [UInt8](repeating: 1, count: 20)
        let program = [UInt8](repeating: 1, count: 32)
        let limits: [(Script?, Int64)] = [
            (.p2pkh(keyHash: hash), 546), (.p2sh(scriptHash: hash), 540), (.p2wpkh(keyHash: hash), 294),
            (.p2wsh(scriptHash: program), 330), (.witness(version: 1, program: program), 330),
            (.witness(version: 1, program: [0x4E, 0x73]), 240), (.nullData([1]), 0),
        ]
        for (script, limit) in limits {
            let script = try #require(script)
            let output = TransactionOutput(value: limit, scriptPubKey: script)
            #expect(output.dustLimit.satoshis == limit && !output.isDust)
            #expect(TransactionOutput(value: limit - 1, scriptPubKey: script).isDust)
        }
    }

    @Test func longScriptsCostMore() {
        // 8 + 3 + 300 bytes and an input of 148.
        let output = TransactionOutput(value: 0, scriptPubKey: Script([UInt8](repeating: 0x51, count: 300)))
        #expect(output.dustLimit.satoshis == 3 * (311 + 148))
    }
}

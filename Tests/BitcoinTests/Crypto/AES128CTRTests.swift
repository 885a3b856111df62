import Bitcoin
import TestSupport
import Testing

@Suite struct AES128CTRTests {
    @Test func theVectorsOfNISTAndRFC3686() throws {
        let rows = try Vectors.load("nist/aes128_ctr_nist.json")
        #expect(rows.countsByKind == ["ctr": 4, "ctr_block": 4, "ecb": 5, "ctr_computed": 6])
        for row in rows {
            let key = SecretBytes(try row.bytes("key"))
            let (plaintext, ciphertext) = (try row.bytes("plaintext"), try row.bytes("ciphertext"))
            if row.kind == "ecb" {
                // The key stream of a counter is the counter's own encryption.
                let zeros = [UInt8](repeating: 0, count: 16)
                #expect(AES128CTR.crypt(zeros, key: key, counter: plaintext) == ciphertext, "\(row.testDescription)")
                continue
            }
            let counter = try row.bytes(row.kind == "ctr_block" ? "input_block" : "initial_counter")
            #expect(AES128CTR.crypt(plaintext, key: key, counter: counter) == ciphertext, "\(row.testDescription)")
            #expect(AES128CTR.crypt(ciphertext, key: key, counter: counter) == plaintext, "\(row.testDescription)")
        }
    }

    @Test func theCardMakersBackups() throws {
        let rows = try Vectors.load("coinkite/cktap.json", kinds: ["backup"])
        #expect(rows.count == 5)
        for row in rows {
            let plaintext = AES128CTR.crypt(try row.bytes("data"), key: SecretBytes(try row.bytes("aes_key")))
            #expect(plaintext == Array(try row.text("plaintext").utf8), "\(row.testDescription)")
        }
    }

    @Test(arguments: [(15, 16), (17, 16), (0, 16), (32, 16), (16, 15), (16, 0), (16, 17)])
    func otherLengthsOfKeyAndCounterAreRefused(key: Int, counter: Int) {
        let key = SecretBytes([UInt8](repeating: 1, count: key))
        #expect(AES128CTR.crypt([1, 2, 3], key: key, counter: [UInt8](repeating: 0, count: counter)) == nil)
    }

    @Test func nothingIsNothing() {
        #expect(AES128CTR.crypt([], key: SecretBytes([UInt8](repeating: 1, count: 16))) == [])
    }
}

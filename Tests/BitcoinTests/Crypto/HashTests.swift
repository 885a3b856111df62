import ByteCodec
import TestSupport
import Testing

@testable import Bitcoin

@Suite struct HashTests {
    @Test func ripemd160AndHash160() throws {
        let rows = try Vectors.load("ripemd160/ripemd160.json")
        #expect(rows.countsByKind == ["hash": 22, "hash160": 4])
        for row in rows {
            let message =
                row.fields["message_repeat"] == nil
                ? try row.bytes("message_hex")
                : [UInt8](repeating: try row.bytes("message_repeat")[0], count: try row.number("repeat_count"))
            let digest = row.kind == "hash" ? RIPEMD160.hash(message) : Hash160.hash(message)
            #expect(digest == (try row.bytes("digest")), "\(row.testDescription)")
        }
    }

    @Test func theCardMakersHashes() throws {
        let rows = try Vectors.load("coinkite/cktap.json", kinds: ["hash"])
        #expect(rows.count == 1)
        for row in rows {
            let message = try row.bytes("message_hex")
            #expect(SHA256.hash(message) == (try row.bytes("sha256")))
            #expect(Hash160.hash(message) == (try row.bytes("hash160")))
        }
    }

    @Test func sha256InPiecesAndFromMidstates() {
        let message = Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
        let digest = SHA256.hash(message)
        // FIPS 180-4, the examples' second message.
        #expect(Hex.encode(digest) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        var front = SHA256()
        front.update(message[..<10])
        var other = front
        other.update([1])
        front.update(message[10...])
        #expect(front.finalize() == digest)
        #expect(other.finalize() == SHA256.hash(message[..<10] + [1]))
        // A sequence without storage of its own.
        #expect(SHA256.hash(message.lazy.map { $0 }) == digest)
        #expect(SHA256.doubleHash(message) == SHA256.hash(digest))
    }

    /// RFC 4231, test cases 1 and 2.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), "Hi There",
            "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
                + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
        ),
    ])
    func hmacSHA512(key: [UInt8], message: String, code: String) {
        let computed = SecretBytes(count: 64) { buffer in
            Array(message.utf8).withUnsafeBytes { HMACSHA512.authenticate(key: key, message: $0, into: buffer) }
        }
        #expect(computed.withBytes { Hex.encode($0) } == code)
    }
}

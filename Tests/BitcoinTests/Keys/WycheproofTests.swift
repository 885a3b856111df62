import ByteCodec
import Foundation
import TestSupport
import Testing

@testable import Bitcoin

/// Project Wycheproof's attacks on ECDSA and ECDH.
@Suite struct WycheproofTests {
    /// DER strictly, low S, and a valid signature, or none of it.
    @Test func signatures() throws {
        let file = LedgeredFile.wycheproofSignatures
        let contents = try Vectors.object(file.path)
        var ledger = try VectorLedger(file)
        for group in try Vectors.rows(contents["testGroups"]) {
            let key = try group.object("publicKey").bytes("uncompressed")
            for test in try group.objects("tests") {
                let digest = Digest(hashing: try test.bytes("msg"))
                let isValid = ECDSASignature(der: try test.bytes("sig")).map {
                    PublicKey.isValid($0, for: digest, publicKey: key)
                }
                let result = try test.text("result")
                try #require(["valid", "invalid"].contains(result))
                ledger.enter("\(try test.number("tcId"))", isValid ?? false, expected: result == "valid")
            }
        }
        ledger.close(count: 463)
        #expect(contents["numberOfTests"] as? Int == 463)
    }

    /// The shared point is the expected one, or the key is refused. Points are what tapkit reads: of their wrapping in ASN.1
    /// the one form that names the curve and nothing else is taken off here, and all others count as refused.
    @Test func sharedSecrets() throws {
        let file = LedgeredFile.wycheproofSharedSecrets
        let contents = try Vectors.object(file.path)
        var ledger = try VectorLedger(file)
        var shared = 0
        for group in try Vectors.rows(contents["testGroups"]) {
            for test in try group.objects("tests") {
                let name = "\(try test.number("tcId"))"
                let secret = try secret(of: test)
                let result = try test.text("result")
                guard let secret else {
                    ledger.enter(name, fault: result == "valid" ? "is refused" : nil)
                    continue
                }
                // Ours hashes the compressed point, of which the file tells the x coordinate.
                let x = try test.bytes("shared")
                let isRight = [2, 3].contains { secret == SHA256.hash([$0] + x) }
                if isRight { shared += 1 }
                ledger.enter(name, fault: isRight && result != "invalid" ? nil : "is \(result), and another point")
            }
        }
        ledger.close(count: 752)
        #expect(contents["numberOfTests"] as? Int == 752)
        #expect(shared == 474)
    }

    private func secret(of test: VectorRow) throws -> [UInt8]? {
        let number = Array(try test.bytes("private").drop { $0 == 0 })
        let key = try PrivateKey(SecretBytes([UInt8](repeating: 0, count: 32 - number.count) + number))
        guard let encoding = Self.encoding(in: try test.bytes("public")), let point = PublicKey.parse(encoding) else {
            return nil
        }
        return try key.sharedSecret(with: PublicKey(point: point)).withBytes { Array($0) }
    }

    /// The key in a SubjectPublicKeyInfo that names secp256k1.
    ///
    /// Spec: RFC 5480; SEC 2 for the curve's identifier.
    private static func encoding(in wrapped: [UInt8]) -> [UInt8]? {
        let identifiers: [UInt8] = [
            0x30, 0x10, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x0A,
        ]
        for length: UInt8 in [33, 65] {
            let head = [0x30, length + 21] + identifiers + [0x03, length + 1, 0]
            guard wrapped.count == head.count + Int(length), wrapped.starts(with: head) else { continue }
            return Array(wrapped.dropFirst(head.count))
        }
        return nil
    }
}

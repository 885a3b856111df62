import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct PrivateKeyTests {
    private static let order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"

    @Test func theRangeIsChecked() throws {
        let zero = [UInt8](repeating: 0, count: 32)
        let order = try Hex.decode(Self.order)
        #expect(throws: KeyError.outOfRange) { try PrivateKey(SecretBytes(zero)) }
        #expect(throws: KeyError.outOfRange) { try PrivateKey(SecretBytes(order)) }
        #expect(throws: KeyError.length(31)) { try PrivateKey(SecretBytes(zero.dropLast())) }
        #expect(throws: KeyError.length(33)) { try PrivateKey(SecretBytes(zero + [1])) }
        #expect(throws: Never.self) { try PrivateKey(SecretBytes(zero.dropLast() + [1])) }
        #expect(throws: Never.self) { try PrivateKey(SecretBytes(order.dropLast() + [0x40])) }
    }

    @Test func theKeyOneIsTheGenerator() throws {
        let one = try PrivateKey(SecretBytes([UInt8](repeating: 0, count: 31) + [1]))
        #expect(
            one.publicKey.description == "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
        #expect(
            Hex.encode(one.publicKey.uncompressedBytes)
                == "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
                + "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8")
    }

    @Test func signaturesVerifyOnlyForTheirDigestAndKey() throws {
        var generator = SeededGenerator(for: "PrivateKeyTests.signaturesVerify")
        for _ in 0..<50 {
            let key = PrivateKey(using: &generator)
            let digest = try #require(Digest(generator.bytes(32...32)))
            let signature = key.signGrindingLowR(digest: digest)
            #expect(signature.hasLowR && signature.hasLowS)
            #expect(signature.der.count <= 70)
            #expect(key.publicKey.isValid(signature, for: digest))
            #expect(PublicKey.isValid(signature, for: digest, publicKey: key.publicKey.uncompressedBytes))
            #expect(!key.publicKey.isValid(signature, for: try #require(Digest(generator.bytes(32...32)))))
            #expect(!PrivateKey(using: &generator).publicKey.isValid(signature, for: digest))
        }
    }

    @Test func extraEntropyHas32Bytes() throws {
        let key = try PrivateKey(SecretBytes([UInt8](repeating: 1, count: 32)))
        for count in [0, 31, 33] {
            #expect(throws: KeyError.length(count)) {
                try key.sign(digest: Digest(hashing: []), extraEntropy: [UInt8](repeating: 1, count: count))
            }
        }
    }

    @Test func aSecretDigestIsVerifiedWhereItLies() throws {
        var generator = SeededGenerator(for: "PrivateKeyTests.aSecretDigest")
        let key = PrivateKey(using: &generator)
        let digest = try #require(Digest(generator.bytes(32...32)))
        let signature = key.sign(digest: digest)
        #expect(key.publicKey.isValid(signature, forSecret: SecretBytes(digest.bytes)))
        #expect(!PrivateKey(using: &generator).publicKey.isValid(signature, forSecret: SecretBytes(digest.bytes)))
        for other in [
            digest.bytes.dropLast() + [], digest.bytes + [0], [digest.bytes[0] ^ 1] + digest.bytes.dropFirst(),
        ] {
            #expect(!key.publicKey.isValid(signature, forSecret: SecretBytes(other)))
        }
    }

    @Test func nothingShowsTheKey() throws {
        let key = try PrivateKey(SecretBytes([UInt8](repeating: 0xAB, count: 32)))
        let wif = WalletImportFormat(key, network: .main)
        let xprv = ExtendedPrivateKey(master: key, chainCode: ChainCode(repeating: 1), network: .main)
        for value in [key, wif, xprv] as [any Sendable] {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            #expect(!text.lowercased().contains("abab") && !text.contains("171"))
        }
    }
}

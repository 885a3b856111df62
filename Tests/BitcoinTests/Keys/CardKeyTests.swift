import Bitcoin
import TestSupport
import Testing

/// The rows of the card maker's vectors that are about keys alone.
@Suite struct CardKeyTests {
    private static let file = "coinkite/cktap.json"

    @Test func sessionKeys() throws {
        let rows = try Vectors.load(Self.file, kinds: ["ecdh"])
        #expect(rows.count == 11)
        for row in rows {
            let key = try PrivateKey(SecretBytes(try row.bytes("private_key")))
            let shared = try key.sharedSecret(with: PublicKey(try row.bytes("public_key")))
            #expect(shared.withBytes { Array($0) } == (try row.bytes("session_key")), "\(row.testDescription)")
            #expect(SHA256.hash(try row.bytes("shared_point")) == (try row.bytes("session_key")))
        }
    }

    @Test func signatures() throws {
        let rows = try Vectors.load(Self.file, kinds: ["sign"])
        #expect(rows.count == 10)
        for row in rows {
            let key = try PrivateKey(SecretBytes(try row.bytes("private_key")))
            let digest = try row.digest("digest")
            let (signature, recoveryID) = key.signRecoverably(digest: digest)
            #expect(key.publicKey.bytes == (try row.bytes("public_key")), "\(row.testDescription)")
            #expect(signature.compact == (try row.bytes("signature")), "\(row.testDescription)")
            #expect(signature == key.sign(digest: digest))
            #expect(recoveryID == (try row.number("recovery_id")), "\(row.testDescription)")
            #expect(try row.bytes("recoverable_signature") == [UInt8(try row.number("header"))] + signature.compact)
            #expect(try signature.recoveredKey(digest: digest, recoveryID: recoveryID) == key.publicKey)
            #expect(key.publicKey.isValid(signature, for: digest))
            #expect(signature.hasLowS)
        }
    }

    @Test func derivations() throws {
        let rows = try Vectors.load(Self.file, kinds: ["bip32_derive"])
        #expect(rows.count == 21)
        for row in rows {
            let (chainCode, path) = (try row.chainCode("chain_code"), try row.path())
            #expect(try DerivationPath(parsing: row.text("path")) == path)
            let derived: PublicKey
            if try row.text("key_is") == "private" {
                let key = try PrivateKey(SecretBytes(try row.bytes("key")))
                let master = ExtendedPrivateKey(master: key, chainCode: chainCode, network: .main)
                derived = try master.descendant(path).privateKey.publicKey
            } else {
                let key = try PublicKey(try row.bytes("key"))
                let master = ExtendedPublicKey(network: .main, chainCode: chainCode, publicKey: key)
                derived = try master.descendant(path).publicKey
            }
            #expect(derived.bytes == (try row.bytes("public_key")), "\(row.testDescription)")
        }
    }

    @Test func extendedKeys() throws {
        let rows = try Vectors.load(Self.file, kinds: ["xpub_response"])
        #expect(rows.count == 6)
        for row in rows {
            let key = try ExtendedPublicKey(serialized: try row.bytes("bytes"))
            #expect(key.text == (try row.text("xpub")), "\(row.testDescription)")
            #expect(key == (try ExtendedPublicKey(parsing: try row.text("xpub"))))
            #expect(Int(key.depth) == (try row.number("depth")))
            #expect(key.parentFingerprint.bytes == (try row.bytes("parent_fingerprint")))
            #expect(Int(key.childNumber.rawValue) == (try row.number("child_number")))
            #expect(key.chainCode == (try row.chainCode("chain_code")))
            #expect(key.publicKey.bytes == (try row.bytes("public_key")))
            if try row.flag("master") { #expect(key.fingerprint.bytes == (try row.bytes("xfp"))) }
        }
    }
}

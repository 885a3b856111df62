import Bitcoin
import ByteCodec
import Testing

@Suite struct ECDSASignatureTests {
    private static let order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
    private static let r = "4e45e16932b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd41"
    private static let s = "181522ec8eca07de4860a4acdd12909d831cc56cbbac4622082221a8768d1d09"

    @Test func compactAndDERGoBothWays() throws {
        let signature = try #require(ECDSASignature(compact: try Hex.decode(Self.r + Self.s)))
        #expect(Hex.encode(signature.der) == "30440220" + Self.r + "0220" + Self.s)
        #expect(ECDSASignature(der: signature.der) == signature)
    }

    /// BIP-66, "DER encoding reference": each breaks a rule.
    @Test(arguments: [
        "", "30",
        "31440220\(r)0220\(s)", "30450220\(r)0220\(s)", "30440220\(r)0220\(s)00", "30430220\(r)0220\(s)",
        "30440320\(r)0220\(s)", "30440220\(r)0320\(s)", "30440221\(r)0220\(s)", "30440220\(r)021f\(s)",
        "3045022100\(r)0220\(s)", "30450220\(r)022100\(s)", "30440220ce\(r.dropFirst(2))0220\(s)",
        "30440220\(r)022098\(s.dropFirst(2))", "302402000220\(s)", "30240220\(r)0200", "3081440220\(r)0220\(s)",
        "3046022100\(order)022100\(order)",
    ])
    func otherEncodingsAreRefused(der: String) throws {
        #expect(ECDSASignature(der: try Hex.decode(der)) == nil)
    }

    @Test func compactEncodingsAreBounded() throws {
        #expect(ECDSASignature(compact: try Hex.decode(Self.order + Self.s)) == nil)
        #expect(ECDSASignature(compact: try Hex.decode(Self.r + Self.order)) == nil)
        #expect(ECDSASignature(compact: try Hex.decode(Self.r)) == nil)
        #expect(ECDSASignature(compact: []) == nil)
    }

    @Test func highSIsSeenAndNeverVerifies() throws {
        let key = try PrivateKey(SecretBytes([UInt8](repeating: 1, count: 32)))
        let digest = Digest(hashing: [2])
        let signature = key.sign(digest: digest)
        let high = try #require(
            ECDSASignature(compact: signature.compact.prefix(32) + negated(signature.compact.suffix(32))))
        #expect(signature.hasLowS && !high.hasLowS)
        #expect(key.publicKey.isValid(signature, for: digest) && !key.publicKey.isValid(high, for: digest))
    }

    @Test func recoveryNeedsItsNumber() throws {
        let key = try PrivateKey(SecretBytes([UInt8](repeating: 1, count: 32)))
        let digest = Digest(hashing: [2])
        let (signature, recoveryID) = key.signRecoverably(digest: digest)
        #expect(try signature.recoveredKey(digest: digest, recoveryID: recoveryID) == key.publicKey)
        #expect(try signature.recoveredKey(digest: digest, recoveryID: recoveryID ^ 1) != key.publicKey)
        for number in [-1, 4, Int.max, Int.min] {
            #expect(throws: KeyError.invalidResult) { try signature.recoveredKey(digest: digest, recoveryID: number) }
        }
    }

    /// The group order minus a number of 32 bytes.
    private func negated(_ bytes: some Collection<UInt8>) throws -> [UInt8] {
        var borrow = 0
        let digits = zip(try Hex.decode(Self.order).reversed(), bytes.reversed()).map { top, bottom in
            let digit = Int(top) - Int(bottom) - borrow
            borrow = digit < 0 ? 1 : 0
            return UInt8(digit & 0xFF)
        }
        return digits.reversed()
    }
}

import Bitcoin
import Testing

/// What a PSBT has of a signature, and what can be made out of it.
@Suite struct PartialSignatureTests {
    private let key: PrivateKey

    init() throws { key = try PrivateKey(SecretBytes([UInt8](repeating: 1, count: 32))) }

    @Test func whatAKeySignedIsTakenApartAgain() {
        let signature = key.sign(digest: Digest(hashing: [1]))
        let types: [SighashType] = [.all, .none, .single, .all.withAnyoneCanPay]
        for type in types {
            let partial = PartialSignature(signature, type: type, by: key.publicKey)
            #expect(partial.publicKey == key.publicKey.bytes && partial.key == key.publicKey)
            #expect(partial.signature == signature.der + [UInt8(type.rawValue)])
            #expect(partial.ecdsaSignature == signature && partial.sighashType == type)
            #expect(partial == PartialSignature(publicKey: partial.publicKey, signature: partial.signature))
        }
        #expect(PartialSignature(signature, by: key.publicKey).sighashType == .all)
    }

    /// Two encodings of one point are the keys of two addresses.
    @Test func anUncompressedKeyIsKeptAndIsNoCardsKey() {
        let signature = key.sign(digest: Digest(hashing: [1]))
        let partial = PartialSignature(publicKey: key.publicKey.uncompressedBytes, signature: signature.der + [1])
        #expect(partial.publicKey.count == 65 && partial.key == nil)
        #expect(partial != PartialSignature(signature, by: key.publicKey))
    }

    @Test func whatCannotBeReadIsKept() throws {
        let partial = PartialSignature(publicKey: [2], signature: [0x30, 0x81])
        #expect(partial.key == nil && partial.ecdsaSignature == nil && partial.sighashType?.rawValue == 0x81)
        let empty = PartialSignature(publicKey: [], signature: [])
        #expect(empty.key == nil && empty.ecdsaSignature == nil && empty.sighashType == nil)
        var psbt = try SpendingForm.unsignedPSBT([.p2wpkh])
        psbt.addPartialSignatures([partial, empty], toInput: 0)
        #expect(Set(psbt.inputs[0].partialSignatures) == [partial, empty])
    }
}

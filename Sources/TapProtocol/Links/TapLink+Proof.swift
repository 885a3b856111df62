import Bitcoin

/// Who signed a link.
extension TapLink {
    /// The only key that both made the signature and matches the link, with what the key reveals.
    ///
    /// A signature without a recovery id yields up to four keys. The right one has an address with the link's ending,
    /// on the main or the test network, or the link's ident.
    /// - Throws: `TapLinkError.forged`, `.severalKeys`.
    ///
    /// Spec: protocol, "Tap link"; SEC 1, section 4.1.6.
    static func proof(of fields: LinkFields) throws(TapLinkError) -> (key: PublicKey, subject: Subject) {
        guard let signature = ECDSASignature(compact: fields.signature) else { throw .forged }
        let digest = Digest(hashing: fields.signedText.utf8)
        let keys = Set((0...3).compactMap { try? signature.recoveredKey(digest: digest, recoveryID: $0) })
        let proofs = keys.flatMap { key in Self.subjects(fields.claim, key).map { (key: key, subject: $0) } }
        guard let proof = proofs.first else { throw .forged }
        guard proofs.count == 1 else { throw .severalKeys }
        return proof
    }

    /// What a claim is about if this is the right key; empty if it is not.
    private static func subjects(_ claim: LinkFields.Claim, _ key: PublicKey) -> [Subject] {
        switch claim {
        case .card(let shortIdent):
            return CardIdent.short(of: key) == shortIdent ? [.card(CardIdent(of: key))] : []
        case .slot(let slot, let addressEnd):
            guard let script = Script.p2wpkh(keyHash: key.hash160) else { return [] }
            return [Network.main, .test]
                .compactMap { Address(scriptPubKey: script, network: $0) }
                .filter { $0.description.hasSuffix(addressEnd) }
                .map { .slot(slot, address: $0) }
        }
    }
}

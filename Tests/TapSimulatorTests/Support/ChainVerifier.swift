import Bitcoin

/// Follows a certificate chain, written from the protocol page for these tests only.
enum ChainVerifier {
    /// The key that the last certificate leads to; `nil` when a certificate is malformed.
    static func root(of chain: [[UInt8]], from cardKey: PublicKey) -> PublicKey? {
        var key = cardKey
        for certificate in chain {
            guard certificate.count == 65, let signature = ECDSASignature(compact: certificate.dropFirst()) else {
                return nil
            }
            guard (27...42).contains(certificate[0]) else { return nil }
            let recoveryID = (Int(certificate[0]) - 27) % 4
            guard
                let signer = try? signature.recoveredKey(
                    digest: Digest(hashing: key.bytes), recoveryID: recoveryID)
            else { return nil }
            key = signer
        }
        return key
    }
}

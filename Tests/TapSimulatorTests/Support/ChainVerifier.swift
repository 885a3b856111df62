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
            let recoveryID: Int
            switch certificate[0] {
            case 27...30: recoveryID = Int(certificate[0]) - 27
            case 39...42: recoveryID = Int(certificate[0]) - 39
            default: return nil
            }
            guard
                let signer = try? signature.recoveredKey(
                    digest: SHA256.hash(key.bytes), recoveryID: recoveryID)
            else { return nil }
            key = signer
        }
        return key
    }
}

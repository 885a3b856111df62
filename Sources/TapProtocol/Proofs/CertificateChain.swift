import Bitcoin

/// The signatures that lead from a card's key to a root: each is one over the previous key and gives, by recovery, the
/// key that made it.
///
/// Spec: protocol, "What must be verified, always" (`certs`).
struct CertificateChain: Sendable {
    /// How many certificates a chain has; cards have two.
    static let counts = 2...8

    /// A recoverable signature: a header byte, then R and S.
    struct Certificate: Sendable {
        static let length = 65

        let signature: ECDSASignature
        /// 0–3.
        let recoveryID: Int

        /// Takes 65 bytes; `nil` for a header outside 27–30 and 39–42, or R or S out of range.
        init?(_ bytes: [UInt8]) {
            guard bytes.count == Self.length, let header = bytes.first,
                let signature = ECDSASignature(compact: bytes.dropFirst()),
                let recoveryID = Self.recoveryID(header: header)
            else { return nil }
            self.signature = signature
            self.recoveryID = recoveryID
        }

        /// 27–30 stand for an uncompressed, 39–42 for a native segwit key; here both mean recovery ids 0–3.
        static func recoveryID(header: UInt8) -> Int? {
            switch header {
            case 27...30: Int(header) - 27
            case 39...42: Int(header) - 39
            default: nil
            }
        }
    }

    let certificates: [Certificate]

    /// A chain, the batch's certificate first.
    init(_ certificates: [Certificate]) { self.certificates = certificates }

    /// The key at the end of the chain.
    /// - Throws: `TapError.badProof` when a signature gives no key at all.
    func root(from cardKey: PublicKey) throws(TapError) -> PublicKey {
        var key = cardKey
        for certificate in certificates {
            do {
                key = try certificate.signature.recoveredKey(
                    digest: SHA256.hash(key.bytes), recoveryID: certificate.recoveryID)
            } catch {
                throw .badProof(.certificateChain, detail: "a certificate's signature gives no key")
            }
        }
        return key
    }
}

import Bitcoin

/// The signatures that lead from a card's key to a root: each is over the previous key, and recovery yields the key that
/// made it.
///
/// Spec: protocol, "What must be verified, always" (`certs`).
struct CertificateChain: Sendable {
    /// How many certificates are accepted. The count proves nothing; the root that they lead to does.
    static let counts = 0...32
    /// How many cards usually have.
    static let usualCount = 2

    /// A recoverable signature: a header byte, then R and S.
    struct Certificate: Sendable {
        static let length = 65

        let signature: ECDSASignature
        /// 0–3.
        let recoveryID: Int

        /// Parses 65 bytes; `nil` for a header outside 27–42, or R or S out of range. S stays as it is: its low twin would
        /// have another recovery id.
        init?(_ bytes: [UInt8]) {
            guard bytes.count == Self.length, let header = bytes.first,
                let signature = ECDSASignature(compact: bytes.dropFirst()),
                let recoveryID = Self.recoveryID(header: header)
            else { return nil }
            self.signature = signature
            self.recoveryID = recoveryID
        }

        /// 27–30 stand for an uncompressed key, 31–34 for a compressed one, 35–38 and 39–42 for segwit addresses; here all
        /// four ranges stand for recovery ids 0–3.
        ///
        /// Spec: BIP-137.
        static func recoveryID(header: UInt8) -> Int? {
            (27...42).contains(header) ? Int(header - 27) % 4 : nil
        }
    }

    let certificates: [Certificate]

    /// Creates a chain, the batch certificate first.
    init(_ certificates: [Certificate]) { self.certificates = certificates }

    /// The key at the end of the chain.
    /// - Throws: `TapError.badProof` if no key can be recovered from a signature.
    func root(from cardKey: PublicKey) throws(TapError) -> PublicKey {
        var key = cardKey
        for certificate in certificates {
            do {
                key = try certificate.signature.recoveredKey(
                    digest: Digest(hashing: key.bytes), recoveryID: certificate.recoveryID)
            } catch {
                throw .badProof(.certificateChain, detail: "no key can be recovered from a certificate's signature")
            }
        }
        return key
    }
}

import Bitcoin

/// The signatures that lead from a card's key to a root: each is one over the previous key and gives, by recovery, the
/// key that made it.
///
/// Spec: protocol, "What must be verified, always" (`certs`).
struct CertificateChain: Sendable {
    /// How many certificates a chain may have. A form: which root they lead to is the proof.
    static let counts = 0...32
    /// How many cards have.
    static let usualCount = 2

    /// A recoverable signature: a header byte, then R and S.
    struct Certificate: Sendable {
        static let length = 65

        let signature: ECDSASignature
        /// 0–3.
        let recoveryID: Int

        /// Takes 65 bytes; `nil` for a header outside 27–42, or R or S out of range. S stays as it is: its low twin would
        /// have another recovery id.
        init?(_ bytes: [UInt8]) {
            guard bytes.count == Self.length, let header = bytes.first,
                let signature = ECDSASignature(compact: bytes.dropFirst()),
                let recoveryID = Self.recoveryID(header: header)
            else { return nil }
            self.signature = signature
            self.recoveryID = recoveryID
        }

        /// 27–30 stand for an uncompressed key, 31–34 for a compressed one, 35–38 and 39–42 for segwit ones; here all four
        /// mean recovery ids 0–3.
        ///
        /// Spec: BIP-137.
        static func recoveryID(header: UInt8) -> Int? {
            (27...42).contains(header) ? Int(header - 27) % 4 : nil
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
                    digest: Digest(hashing: key.bytes), recoveryID: certificate.recoveryID)
            } catch {
                throw .badProof(.certificateChain, detail: "a certificate's signature gives no key")
            }
        }
        return key
    }
}

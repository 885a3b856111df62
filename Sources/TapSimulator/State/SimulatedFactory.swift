import Bitcoin

/// The factory of every simulated card: a root key and one batch key, both fixed and public. A simulated card is never
/// accepted as genuine unless its root is named explicitly.
///
/// The keys are SHA-256 hashes of the texts below. The maker's own roots are not used: we do not have their private
/// keys.
///
/// Spec: protocol, "What must be verified, always", `certs`.
public enum SimulatedFactory: String, Codable, Sendable, CaseIterable {
    /// The factory of all simulated cards.
    case standard
    /// A second factory (`--dev-root`), for testing a card whose root is not the one that was named. It does not
    /// replace the maker's development root, whose private key is not public.
    case development

    /// The root that verifies this factory's cards, 33 bytes.
    public var rootKey: PublicKey {
        get throws(SimulatedCardError) { try key("root").publicKey }
    }

    /// Certificates for a card, batch first: each is a header byte and a signature of 64 bytes.
    /// - Parameter count: how many, 1 or more; usually two.
    func certificates(
        for cardKey: PublicKey, header: CertificateHeader, count: Int = 2
    ) throws(SimulatedCardError) -> [[UInt8]] {
        var certificates: [[UInt8]] = []
        var subject = cardKey
        for number in (0..<max(1, count)).reversed() {
            let signer = try key(number == 0 ? "root" : "batch \(number)")
            certificates.append(try Self.certificate(for: subject, by: signer, header: header))
            subject = signer.publicKey
        }
        return certificates
    }

    /// One certificate: a header byte and a signature over SHA-256 of the subject's 33 bytes.
    static func certificate(
        for subject: PublicKey, by signer: PrivateKey, header: CertificateHeader
    ) throws(SimulatedCardError) -> [UInt8] {
        let signed = signer.signRecoverably(digest: Digest(hashing: subject.bytes))
        return [header.rawValue + UInt8(truncatingIfNeeded: signed.recoveryID)] + signed.signature.compact
    }

    private func key(_ name: String) throws(SimulatedCardError) -> PrivateKey {
        let secret = SHA256.hash("tapkit simulated card factory, \(rawValue), \(name)".utf8)
        guard let key = try? PrivateKey(SecretBytes(secret)) else {
            throw SimulatedCardError(.badOptions, "The factory's key is not valid.")
        }
        return key
    }
}

/// The range of a certificate's first byte; the recovery id is added to it.
///
/// Spec: protocol, "What must be verified, always", `certs`; BIP-137.
public enum CertificateHeader: UInt8, Sendable, CaseIterable {
    /// 27–30.
    case uncompressed = 27
    /// 31–34, as in the maker's emulator.
    case compressed = 31
    /// 35–38.
    case nestedSegwit = 35
    /// 39–42, as on cards.
    case segwit = 39
}

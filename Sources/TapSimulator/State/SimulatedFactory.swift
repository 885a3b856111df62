import Bitcoin

/// The factory of every simulated card: a root key and one batch key, both fixed and public, so that nobody can take
/// a simulated card for a genuine one unless he asks for it by naming the root.
///
/// The keys are SHA-256 of the texts below. The maker's own root and development root are not used: their private
/// keys are not ours.
///
/// Spec: protocol, "What must be verified, always", `certs`.
public enum SimulatedFactory: String, Codable, Sendable, CaseIterable {
    /// The factory of all simulated cards.
    case standard
    /// A second factory (`--dev-root`), for trying what happens with a card whose root is not the one that was named.
    /// It is no stand-in for the maker's development root, whose private key is not public.
    case development

    /// The root that verifies this factory's cards, 33 bytes.
    public var rootKey: PublicKey {
        get throws(SimulatedCardError) { try key("root").publicKey }
    }

    /// Certificates for a card, batch first: each is a header byte and a signature of 64 bytes.
    /// - Parameter count: how many, 1 or more; two as a rule.
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

/// Which numbering a certificate's first byte follows; the recovery id is added to it.
///
/// Spec: protocol, "What must be verified, always", `certs`; BIP-137.
public enum CertificateHeader: UInt8, Sendable, CaseIterable {
    /// 27–30.
    case uncompressed = 27
    /// 31–34, as the maker's emulator has it.
    case compressed = 31
    /// 35–38.
    case nestedSegwit = 35
    /// 39–42, as cards have it.
    case segwit = 39
}

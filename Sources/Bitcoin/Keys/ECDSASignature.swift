import CSecp256k1

/// An ECDSA signature as its 64 bytes R || S, big-endian. Not known to be valid for anything.
public struct ECDSASignature: Hashable, Sendable {
    /// The length of the compact encoding, in bytes.
    public static let length = 64

    /// R then S, 32 bytes each.
    public let compact: [UInt8]

    /// Takes a compact encoding; `nil` unless it has 64 bytes and R and S are below the group order.
    public init?(compact: some Collection<UInt8>) {
        guard compact.count == Self.length else { return nil }
        self.compact = Array(compact)
        guard parsed != nil else { return nil }
    }

    /// Takes a DER encoding, strictly as BIP-66 requires; `nil` for anything else.
    ///
    /// Spec: BIP-66.
    public init?(der: some Collection<UInt8>) {
        let der = Array(der)
        var signature = secp256k1_ecdsa_signature()
        guard secp256k1_ecdsa_signature_parse_der(CurveContext.shared, &signature, der, der.count) == 1 else {
            return nil
        }
        self.init(signature)
        // The parser reads an overflowing R or S as zero: so re-encoding must give the same bytes.
        guard self.der == der else { return nil }
    }

    init(_ signature: secp256k1_ecdsa_signature) {
        var signature = signature
        compact = [UInt8](capacity: Self.length) { buffer, _ in
            secp256k1_ecdsa_signature_serialize_compact(CurveContext.shared, buffer, &signature)
        }
    }

    var parsed: secp256k1_ecdsa_signature? {
        var signature = secp256k1_ecdsa_signature()
        guard secp256k1_ecdsa_signature_parse_compact(CurveContext.shared, &signature, compact) == 1 else {
            return nil
        }
        return signature
    }

    /// The DER encoding, 8–72 bytes (70 or fewer when R and S are low).
    public var der: [UInt8] {
        guard var signature = parsed else { return [] }
        return [UInt8](capacity: 72) { buffer, count in
            secp256k1_ecdsa_signature_serialize_der(CurveContext.shared, buffer, &count, &signature)
        }
    }

    /// Whether S is at most half the group order.
    ///
    /// Spec: BIP-62 rule 5, BIP-146.
    public var hasLowS: Bool {
        guard var signature = parsed else { return false }
        return secp256k1_ecdsa_signature_normalize(CurveContext.shared, nil, &signature) == 0
    }

    /// Whether R is below 2²⁵⁵, so that its DER encoding needs no leading zero.
    public var hasLowR: Bool { compact[0] < 0x80 }

    /// The key that made this signature over `digest`, if the recovery id (0–3) is right.
    /// - Throws: `KeyError.invalidResult` when there is no such key.
    ///
    /// Spec: SEC 1, section 4.1.6.
    public func recoveredKey(digest: Digest, recoveryID: Int) throws(KeyError) -> PublicKey {
        var recoverable = secp256k1_ecdsa_recoverable_signature()
        var point = secp256k1_pubkey()
        guard (0...3).contains(recoveryID),
            secp256k1_ecdsa_recoverable_signature_parse_compact(
                CurveContext.shared, &recoverable, compact, Int32(recoveryID)) == 1,
            secp256k1_ecdsa_recover(CurveContext.shared, &point, &recoverable, digest.bytes) == 1
        else { throw .invalidResult }
        return PublicKey(point: point)
    }
}

import ByteCodec
import CSecp256k1

/// A secp256k1 private key, 32 bytes in memory that is wiped. Every operation on it is constant-time.
public struct PrivateKey: Sendable, CustomStringConvertible {
    /// The length of a private key, in bytes.
    public static let length = 32

    /// The 32 bytes, big-endian.
    public let secret: SecretBytes

    /// Checks and takes 32 secret bytes.
    /// - Throws: `KeyError.length`, `.outOfRange` for zero or a value not below the group order.
    public init(_ secret: SecretBytes) throws(KeyError) {
        guard secret.count == Self.length else { throw .length(secret.count) }
        guard secret.withPointer({ secp256k1_ec_seckey_verify(CurveContext.shared, $0) }) == 1 else {
            throw .outOfRange
        }
        self.secret = secret
    }

    /// A key from a random source, by drawing 32 bytes until they are in range.
    public init(using generator: inout some RandomNumberGenerator) {
        while true {
            let secret = SecretBytes(count: Self.length) { buffer in
                for index in buffer.indices { buffer[index] = UInt8.random(in: 0...255, using: &generator) }
            }
            if let key = try? Self(secret) {
                self = key
                return
            }
        }
    }

    /// The key's point on the curve.
    public var publicKey: PublicKey {
        var point = secp256k1_pubkey()
        // Cannot fail: the range was checked in `init`.
        _ = secret.withPointer { secp256k1_ec_pubkey_create(CurveContext.shared, &point, $0) }
        return PublicKey(point: point)
    }

    /// The session secret shared with the holder of `key`: SHA-256 of the compressed shared point, 32 bytes.
    ///
    /// Spec: protocol, "Authentication", step 1; libsecp256k1's default ECDH hash.
    public func sharedSecret(with key: PublicKey) throws(KeyError) -> SecretBytes {
        guard var point = PublicKey.parse(key.bytes) else { throw .notOnCurve }
        var isDone = false
        let shared = SecretBytes(count: 32) { buffer in
            buffer.withMemoryRebound(to: UInt8.self) { output in
                guard let base = output.baseAddress else { return }
                isDone =
                    secret.withPointer { secp256k1_ecdh(CurveContext.shared, base, &point, $0, nil, nil) } == 1
            }
        }
        guard isDone else { throw .invalidResult }
        return shared
    }

    /// Signs a digest with the deterministic nonce of RFC 6979; S is low.
    ///
    /// Spec: RFC 6979, section 3.2; BIP-62 (low S).
    public func sign(digest: Digest) -> ECDSASignature { signature(over: digest, extraEntropy: nil) }

    /// Signs like `sign(digest:)`, with a different nonce.
    /// - Parameter extraEntropy: 32 more bytes for the nonce. Counting them up grinds for a low R.
    /// - Throws: `KeyError.length` for extra entropy of another length.
    ///
    /// Spec: RFC 6979, section 3.6; BIP-62 (low S).
    public func sign(digest: Digest, extraEntropy: [UInt8]) throws(KeyError) -> ECDSASignature {
        guard extraEntropy.count == 32 else { throw .length(extraEntropy.count) }
        return signature(over: digest, extraEntropy: extraEntropy)
    }

    /// - Parameter extraEntropy: 32 bytes, or none.
    private func signature(over digest: Digest, extraEntropy: [UInt8]?) -> ECDSASignature {
        var signature = secp256k1_ecdsa_signature()
        // Cannot fail: the key is in range, and RFC 6979 finds a nonce.
        _ = secret.withPointer { secret in
            (extraEntropy ?? []).withUnsafeBytes {
                secp256k1_ecdsa_sign(
                    CurveContext.shared, &signature, digest.bytes, secret, secp256k1_nonce_function_rfc6979,
                    extraEntropy == nil ? nil : $0.baseAddress)
            }
        }
        return ECDSASignature(signature)
    }

    /// Signs as Bitcoin Core does: counts up the nonce's extra entropy until R is low, so the DER form has at most
    /// 70 bytes.
    ///
    /// Spec: RFC 6979 with a little-endian counter in the first four bytes of the extra entropy.
    public func signGrindingLowR(digest: Digest) -> ECDSASignature {
        var signature = sign(digest: digest)
        var counter: UInt32 = 0
        while !signature.hasLowR {
            counter += 1
            var extraEntropy: [UInt8] = []
            extraEntropy.appendLittleEndian(counter)
            extraEntropy += [UInt8](repeating: 0, count: 28)
            signature = self.signature(over: digest, extraEntropy: extraEntropy)
        }
        return signature
    }

    /// Signs like `sign(digest:)`, and returns the recovery id (0–3) that recovers the public key.
    public func signRecoverably(digest: Digest) -> (signature: ECDSASignature, recoveryID: Int) {
        var recoverable = secp256k1_ecdsa_recoverable_signature()
        // Cannot fail: the key is in range, and RFC 6979 finds a nonce.
        _ = secret.withPointer {
            secp256k1_ecdsa_sign_recoverable(
                CurveContext.shared, &recoverable, digest.bytes, $0, secp256k1_nonce_function_rfc6979, nil)
        }
        var signature = secp256k1_ecdsa_signature()
        var compact = [UInt8](repeating: 0, count: ECDSASignature.length)
        var recoveryID: Int32 = 0
        secp256k1_ecdsa_recoverable_signature_serialize_compact(
            CurveContext.shared, &compact, &recoveryID, &recoverable)
        secp256k1_ecdsa_recoverable_signature_convert(CurveContext.shared, &signature, &recoverable)
        return (ECDSASignature(signature), Int(recoveryID))
    }

    /// The key plus `tweak`, modulo the group order.
    /// - Parameter tweak: 32 bytes, big-endian.
    /// - Throws: `KeyError.invalidResult` when the tweak is out of range or the sum is zero.
    func adding(tweak: SecretBytes) throws(KeyError) -> PrivateKey {
        guard tweak.count == 32 else { throw .length(tweak.count) }
        var isValid = false
        let sum = SecretBytes(count: Self.length) { buffer in
            secret.withBytes { buffer.copyMemory(from: $0) }
            buffer.withMemoryRebound(to: UInt8.self) { sum in
                guard let base = sum.baseAddress else { return }
                isValid =
                    tweak.withPointer { secp256k1_ec_seckey_tweak_add(CurveContext.shared, base, $0) } == 1
            }
        }
        guard isValid else { throw .invalidResult }
        return try PrivateKey(sum)
    }

    /// Always the same text, whatever the key.
    public var description: String { "<private key>" }
}

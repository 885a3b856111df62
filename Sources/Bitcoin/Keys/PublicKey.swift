import ByteCodec
import CSecp256k1

/// A valid point on secp256k1, as its 33-byte compressed encoding.
public struct PublicKey: Hashable, Sendable, CustomStringConvertible {
    /// The length of the compressed encoding, in bytes.
    public static let length = 33

    /// The compressed encoding, 33 bytes.
    public let bytes: [UInt8]

    /// Checks a compressed encoding.
    /// - Parameter bytes: 33 bytes, the first 02 or 03.
    /// - Throws: `KeyError.length`, `.notOnCurve`.
    ///
    /// Spec: SEC 1, section 2.3.4.
    public init(_ bytes: some Collection<UInt8>) throws(KeyError) {
        guard bytes.count == Self.length else { throw .length(bytes.count) }
        let bytes = Array(bytes)
        guard Self.parse(bytes) != nil else { throw .notOnCurve }
        self.bytes = bytes
    }

    init(point: secp256k1_pubkey) {
        var point = point
        bytes = [UInt8](capacity: Self.length) { buffer, count in
            secp256k1_ec_pubkey_serialize(
                CurveContext.shared, buffer, &count, &point, UInt32(SECP256K1_EC_COMPRESSED))
        }
    }

    /// The point behind an encoding of 33 or 65 bytes.
    static func parse(_ bytes: [UInt8]) -> secp256k1_pubkey? {
        var point = secp256k1_pubkey()
        guard secp256k1_ec_pubkey_parse(CurveContext.shared, &point, bytes, bytes.count) == 1 else { return nil }
        return point
    }

    /// Whether `signature` is valid for `digest` and this key. High-S signatures never verify.
    public func isValid(_ signature: ECDSASignature, for digest: Digest) -> Bool {
        Self.isValid(signature, for: digest, publicKey: bytes)
    }

    /// Whether `signature` is valid for `digest` and the key with this encoding, compressed (33 bytes) or not (65).
    public static func isValid(_ signature: ECDSASignature, for digest: Digest, publicKey: [UInt8]) -> Bool {
        guard var point = parse(publicKey), var parsed = signature.parsed else { return false }
        return secp256k1_ecdsa_verify(CurveContext.shared, &parsed, digest.bytes, &point) == 1
    }

    /// Whether `signature` is valid for a secret digest and this key; the digest is read in place. High-S signatures
    /// never verify.
    /// - Parameter digest: 32 bytes; with any other length, no signature verifies.
    public func isValid(_ signature: ECDSASignature, forSecret digest: SecretBytes) -> Bool {
        guard digest.count == Digest.length, var point = Self.parse(bytes), var parsed = signature.parsed else {
            return false
        }
        return digest.withPointer { secp256k1_ecdsa_verify(CurveContext.shared, &parsed, $0, &point) } == 1
    }

    /// Whether `bytes` encode a point on the curve, compressed or not.
    static func isValidEncoding(_ bytes: [UInt8]) -> Bool {
        (bytes.count == 33 || (bytes.count == 65 && bytes.first == 4)) && parse(bytes) != nil
    }

    /// The point plus `tweak` times the generator.
    /// - Parameter tweak: 32 bytes, big-endian.
    /// - Throws: `KeyError.invalidResult` when the tweak is out of range or the sum is the point at infinity.
    func adding(tweak: [UInt8]) throws(KeyError) -> PublicKey {
        guard tweak.count == 32 else { throw .length(tweak.count) }
        guard var point = Self.parse(bytes),
            secp256k1_ec_pubkey_tweak_add(CurveContext.shared, &point, tweak) == 1
        else { throw .invalidResult }
        return PublicKey(point: point)
    }

    /// The uncompressed encoding, 65 bytes.
    ///
    /// Spec: SEC 1, section 2.3.3.
    public var uncompressedBytes: [UInt8] {
        guard var point = Self.parse(bytes) else { return [] }
        return [UInt8](capacity: 65) { buffer, count in
            secp256k1_ec_pubkey_serialize(
                CurveContext.shared, buffer, &count, &point, UInt32(SECP256K1_EC_UNCOMPRESSED))
        }
    }

    /// HASH160 of the compressed encoding, 20 bytes.
    public var hash160: [UInt8] { Hash160.hash(bytes) }

    /// Lower-case hexadecimal, 66 digits.
    public var description: String { Hex.encode(bytes) }
}

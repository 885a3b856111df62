@testable import Bitcoin

/// A private key so small that Schnorr signing with it takes additions only. For tests: cards do not sign like this, and
/// tapkit only verifies.
///
/// Spec: BIP-340, "Default signing", with another nonce.
struct SmallSchnorrKey {
    private let number: UInt8
    private let publicKey: PublicKey

    /// - Parameter number: the private key, at least 1.
    init(_ number: UInt8) throws {
        self.number = number
        publicKey = try Self.key([UInt8](repeating: 0, count: 31) + [number]).publicKey
    }

    private static func key(_ bytes: [UInt8]) throws -> PrivateKey { try PrivateKey(SecretBytes(bytes)) }

    /// The x coordinate, 32 bytes.
    var xOnly: [UInt8] { Array(publicKey.bytes.dropFirst()) }

    /// A signature, 64 bytes.
    func signature(of digest: Digest) throws -> [UInt8] {
        let secret = SHA256.hash(digest.bytes + [number])
        let point = try Self.key(secret).publicKey.bytes
        let challenge = SHA256.taggedHash("BIP0340/challenge", point.dropFirst() + xOnly + digest.bytes)
        var sum = point[0] == 2 ? secret : Self.negated(secret)
        let summand = publicKey.bytes[0] == 2 ? Self.reduced(challenge) : Self.negated(Self.reduced(challenge))
        for _ in 0..<number { sum = Self.sum(sum, summand) }
        return point.dropFirst() + sum
    }

    // MARK: Numbers of 32 bytes, big-endian, below the order of the curve

    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE,
        0xBA, 0xAE, 0xDC, 0xE6, 0xAF, 0x48, 0xA0, 0x3B, 0xBF, 0xD2, 0x5E, 0x8C, 0xD0, 0x36, 0x41, 0x41,
    ]

    private static func sum(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        var digits = [UInt8](repeating: 0, count: 33)
        var carry = 0
        for place in (0..<32).reversed() {
            carry += Int(one[place]) + Int(other[place])
            digits[place + 1] = UInt8(carry & 0xFF)
            carry >>= 8
        }
        digits[0] = UInt8(carry)
        return reduced(digits)
    }

    private static func reduced(_ digits: [UInt8]) -> [UInt8] {
        let order = [UInt8](repeating: 0, count: digits.count - 32) + order
        let isBelow = digits.lexicographicallyPrecedes(order)
        return Array((isBelow ? digits : difference(digits, order)).suffix(32))
    }

    private static func negated(_ digits: [UInt8]) -> [UInt8] { reduced(difference(order, digits)) }

    private static func difference(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        var digits = one
        var borrow = 0
        for place in one.indices.reversed() {
            let rest = Int(one[place]) - Int(other[place]) - borrow
            digits[place] = UInt8(rest & 0xFF)
            borrow = rest < 0 ? 1 : 0
        }
        return digits
    }
}

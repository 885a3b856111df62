import Bitcoin

extension ECDSASignature {
    /// The same signature with the other S, 64 bytes: just as valid, and not what a card may give.
    var compactWithOtherS: [UInt8] { compact.prefix(32) + Self.negated(compact.suffix(32)) }

    /// The group order minus a number of 32 bytes.
    private static func negated(_ number: ArraySlice<UInt8>) -> [UInt8] {
        let order: [UInt8] =
            [UInt8](repeating: 0xFF, count: 15) + [0xFE] + [
                0xBA, 0xAE, 0xDC, 0xE6, 0xAF, 0x48, 0xA0, 0x3B, 0xBF, 0xD2, 0x5E, 0x8C, 0xD0, 0x36, 0x41, 0x41,
            ]
        var difference: [UInt8] = []
        var borrow = 0
        for (minuend, subtrahend) in zip(order.reversed(), number.reversed()) {
            let digit = Int(minuend) - Int(subtrahend) - borrow
            borrow = digit < 0 ? 1 : 0
            difference.append(UInt8(truncatingIfNeeded: digit))
        }
        return difference.reversed()
    }
}

extension Digest {
    /// Another digest, which differs in one bit.
    var withFirstBitFlipped: Digest {
        get throws {
            guard let other = Digest([bytes[0] ^ 1] + bytes.dropFirst()) else { throw KeyError.length(bytes.count) }
            return other
        }
    }
}

extension PrivateKey {
    /// A signature whose R is high, 64 bytes; valid, and not what a card may give for `sign`.
    func signatureWithHighR(_ digest: Digest) throws -> [UInt8] {
        for number in UInt8.min...UInt8.max {
            let signature = try sign(digest: digest, extraEntropy: [UInt8](repeating: number, count: 32))
            if !signature.hasLowR { return signature.compact }
        }
        return []
    }
}

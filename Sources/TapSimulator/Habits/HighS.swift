import Bitcoin

/// The other S of the same signature: the group order minus S.
enum HighS {
    private static let order: [UInt8] =
        [UInt8](repeating: 0xFF, count: 15) + [0xFE]
        + [0xBA, 0xAE, 0xDC, 0xE6, 0xAF, 0x48, 0xA0, 0x3B, 0xBF, 0xD2, 0x5E, 0x8C, 0xD0, 0x36, 0x41, 0x41]

    /// A compact signature with its low S replaced by the high one.
    static func of(_ signature: [UInt8]) -> [UInt8] {
        guard signature.count == ECDSASignature.length else { return signature }
        var result = signature
        var borrow = 0
        for index in (0..<32).reversed() {
            let difference = Int(order[index]) - Int(signature[32 + index]) - borrow
            borrow = difference < 0 ? 1 : 0
            result[32 + index] = UInt8(truncatingIfNeeded: difference)
        }
        return result
    }
}

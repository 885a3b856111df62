import ByteCodec

/// The bytes of an origin in a PSBT: the fingerprint, then four bytes for each step, little-endian.
///
/// Spec: BIP-174, `PSBT_IN_BIP32_DERIVATION`.
extension KeyOrigin {
    /// The greatest depth of a key; its serialization has one byte for it.
    ///
    /// Spec: BIP-32, "Serialization format".
    static let maximumStepCount = 255

    /// Reads an origin that fills `bytes`; `nil` when their count is not a positive multiple of four, or there are more
    /// than `maximumStepCount` steps.
    init?(serialized bytes: ArraySlice<UInt8>) {
        guard bytes.count.isMultiple(of: 4), bytes.count / 4 <= 1 + Self.maximumStepCount,
            let fingerprint = Fingerprint(bytes.prefix(4))
        else { return nil }
        let steps = stride(from: bytes.startIndex + 4, to: bytes.endIndex, by: 4).map { start in
            ChildNumber(rawValue: UInt32(littleEndian: bytes[start..<start + 4]))
        }
        self.init(fingerprint: fingerprint, path: DerivationPath(steps))
    }

    var serialized: [UInt8] {
        var bytes = fingerprint.bytes
        for step in path.steps { bytes.appendLittleEndian(step.rawValue) }
        return bytes
    }
}

extension UInt32 {
    /// The number in four bytes, least significant first.
    init(littleEndian bytes: ArraySlice<UInt8>) { self = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
}

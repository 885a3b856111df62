/// Bytes regrouped into values of five bits, most significant bit first: what Base32 and Bech32 encode.
enum FiveBitValues {
    /// The values 0…31 that hold the bytes, the last one zero-filled.
    static func of(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var values: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for byte in bytes {
            buffer = (buffer & 0xFF) << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                values.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)) & 31)
            }
        }
        if bits > 0 { values.append(UInt8(truncatingIfNeeded: buffer << UInt32(5 - bits)) & 31) }
        return values
    }
}

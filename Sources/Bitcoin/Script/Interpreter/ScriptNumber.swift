/// Numbers on the stack: little-endian magnitude, the highest bit of the last byte is the sign, zero is empty.
///
/// Spec: Bitcoin Core, `CScriptNum`.
enum ScriptNumber {
    /// The longest number for arithmetic, in bytes.
    static let maximumLength = 4

    /// The longest number for lock times, in bytes.
    static let maximumLockTimeLength = 5

    /// Reads a number of at most eight bytes.
    static func decode(
        _ bytes: [UInt8], isMinimal: Bool, maximumLength: Int = maximumLength
    ) throws(ScriptFailure) -> Int64 {
        guard bytes.count <= min(maximumLength, 8) else { throw .numberTooLong }
        guard let last = bytes.last else { return 0 }
        if isMinimal, last & 0x7F == 0 {
            guard let previous = bytes.dropLast().last, previous & 0x80 != 0 else { throw .notMinimal }
        }
        var magnitude: UInt64 = UInt64(last & 0x7F)
        for byte in bytes.dropLast().reversed() { magnitude = magnitude << 8 | UInt64(byte) }
        let value = Int64(truncatingIfNeeded: magnitude)
        return last & 0x80 == 0 ? value : -value
    }

    /// The shortest form of a number.
    static func encode(_ number: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        var magnitude = number.magnitude
        while magnitude > 0 {
            bytes.append(UInt8(truncatingIfNeeded: magnitude))
            magnitude >>= 8
        }
        guard let last = bytes.last else { return [] }
        if last & 0x80 != 0 {
            bytes.append(number < 0 ? 0x80 : 0)
        } else if number < 0 {
            bytes[bytes.count - 1] = last | 0x80
        }
        return bytes
    }

    /// The item for a truth value: 1 or empty.
    static func encode(_ flag: Bool) -> [UInt8] { flag ? [1] : [] }

    /// Whether an item counts as true: any bit except the sign is set.
    static func isTrue(_ bytes: [UInt8]) -> Bool {
        guard let last = bytes.last else { return false }
        return last & 0x7F != 0 || bytes.dropLast().contains { $0 != 0 }
    }
}

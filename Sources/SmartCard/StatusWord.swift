/// The two bytes that end every response of a card.
public struct StatusWord: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// SW1 in the high byte, SW2 in the low byte.
    public let rawValue: UInt16

    /// A status word from its 16 bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// `9000`: the command ran. A tap card returns it even when the response is an error map.
    public static let success = Self(rawValue: 0x9000)
    /// `6D00`: unknown instruction. From a tap card it means that its application has not been selected since power-on.
    public static let instructionNotSupported = Self(rawValue: 0x6D00)
    /// `6A82`: no such application on this card.
    public static let fileNotFound = Self(rawValue: 0x6A82)

    /// SW1, the high byte.
    public var first: UInt8 { UInt8(rawValue >> 8) }
    /// SW2, the low byte.
    public var second: UInt8 { UInt8(truncatingIfNeeded: rawValue) }

    /// Four lower-case hexadecimal digits.
    public var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}

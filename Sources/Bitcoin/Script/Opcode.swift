import ByteCodec

/// An operation of Bitcoin's script language, as its byte. Only operations used here have names.
///
/// Spec: Bitcoin Core, `script/script.h`.
public struct Opcode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The byte.
    public let rawValue: UInt8

    /// The operation with this byte.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Pushes nothing: `OP_0`.
    public static let zero = Self(rawValue: 0x00)
    /// The next byte is the number of bytes to push.
    public static let pushData1 = Self(rawValue: 0x4C)
    /// The next two bytes, little-endian, are the number of bytes to push.
    public static let pushData2 = Self(rawValue: 0x4D)
    /// The next four bytes, little-endian, are the number of bytes to push.
    public static let pushData4 = Self(rawValue: 0x4E)
    /// Pushes −1.
    public static let negativeOne = Self(rawValue: 0x4F)
    /// Pushes 1; the operations up to `sixteen` push the numbers up to 16.
    public static let one = Self(rawValue: 0x51)
    /// Pushes 16.
    public static let sixteen = Self(rawValue: 0x60)
    /// Ends the script in failure, so an output that starts with it can never be spent.
    public static let `return` = Self(rawValue: 0x6A)
    /// Copies the top of the stack.
    public static let duplicate = Self(rawValue: 0x76)
    /// Fails unless the top two items are equal.
    public static let equalVerify = Self(rawValue: 0x88)
    /// Whether the top two items are equal.
    public static let equal = Self(rawValue: 0x87)
    /// HASH160 of the top.
    public static let hash160 = Self(rawValue: 0xA9)
    /// Later signatures cover only the script after this.
    public static let codeSeparator = Self(rawValue: 0xAB)
    /// Checks one signature.
    public static let checkSignature = Self(rawValue: 0xAC)
    /// Whether two numbers are the same.
    public static let numericEqual = Self(rawValue: 0x9C)
    /// Checks one signature, and adds 1 to a number if it is valid; only in tapscript.
    public static let checkSignatureAdd = Self(rawValue: 0xBA)
    /// Checks m of n signatures.
    public static let checkMultisig = Self(rawValue: 0xAE)

    /// The operation that pushes a number; `nil` unless it is 0…16.
    public static func number(_ number: Int) -> Self? {
        switch number {
        case 0: .zero
        case 1...16: Self(rawValue: one.rawValue + UInt8(number - 1))
        default: nil
        }
    }

    /// The number 0…16 that the operation pushes; `nil` for any other.
    public var number: Int? {
        switch rawValue {
        case Self.zero.rawValue: 0
        case Self.one.rawValue...Self.sixteen.rawValue: Int(rawValue - Self.one.rawValue) + 1
        default: nil
        }
    }

    /// Whether the operation only pushes, `OP_RESERVED` included: the consensus meaning of "push only".
    public var isPush: Bool { rawValue <= Self.sixteen.rawValue }

    /// The byte in hexadecimal, as in `0xac`.
    public var description: String { "0x" + Hex.encode([rawValue]) }
}

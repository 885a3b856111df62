/// Which parts of a transaction a signature covers.
///
/// Spec: BIP-143; Bitcoin Core, `script/interpreter.h`.
public struct SighashType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// Which outputs are covered.
    public enum Outputs: Sendable, Hashable {
        /// All of them; every unknown value means this too.
        case all
        /// None: anyone can redirect the money.
        case none
        /// The one at the input's index.
        case single
    }

    /// The value that is hashed, 32 bits. A signature carries only the lowest eight.
    public let rawValue: UInt32

    /// A type from its 32 bits, known or not.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Everything: the only type that lets nothing change.
    public static let all = Self(rawValue: 1)
    /// No outputs.
    public static let none = Self(rawValue: 2)
    /// The output at the input's index.
    public static let single = Self(rawValue: 3)

    private static let anyoneCanPayBit: UInt32 = 0x80

    /// The same, but others may add and remove inputs.
    public var withAnyoneCanPay: Self { Self(rawValue: rawValue | Self.anyoneCanPayBit) }

    /// The outputs that the type covers under consensus.
    public var outputs: Outputs {
        switch rawValue & 0x1F {
        case Self.none.rawValue: .none
        case Self.single.rawValue: .single
        default: .all
        }
    }

    /// Whether only the signed input is covered, and not the others.
    public var isAnyoneCanPay: Bool { rawValue & Self.anyoneCanPayBit != 0 }

    /// Whether this is one of the six types that nodes relay.
    public var isStandard: Bool { (1...3).contains(rawValue & ~Self.anyoneCanPayBit) }

    /// The byte after a signature; `nil` when the type does not fit in one.
    public var byte: UInt8? { UInt8(exactly: rawValue) }

    /// As in `ALL`, `SINGLE|ANYONECANPAY`; unknown types in hexadecimal.
    public var description: String {
        guard isStandard else { return "0x" + String(rawValue, radix: 16) }
        let name =
            switch outputs {
            case .all: "ALL"
            case .none: "NONE"
            case .single: "SINGLE"
            }
        return isAnyoneCanPay ? name + "|ANYONECANPAY" : name
    }
}

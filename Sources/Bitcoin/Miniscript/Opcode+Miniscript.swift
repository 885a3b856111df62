/// The operations that only miniscript writes.
///
/// Spec: Bitcoin Core, `script/script.h`.
extension Opcode {
    static let `if` = Self(rawValue: 0x63)
    static let notIf = Self(rawValue: 0x64)
    static let `else` = Self(rawValue: 0x67)
    static let endIf = Self(rawValue: 0x68)
    static let verify = Self(rawValue: 0x69)
    static let toAltStack = Self(rawValue: 0x6B)
    static let fromAltStack = Self(rawValue: 0x6C)
    static let ifDuplicate = Self(rawValue: 0x73)
    static let swap = Self(rawValue: 0x7C)
    static let size = Self(rawValue: 0x82)
    static let notEqualToZero = Self(rawValue: 0x92)
    static let add = Self(rawValue: 0x93)
    static let booleanAnd = Self(rawValue: 0x9A)
    static let booleanOr = Self(rawValue: 0x9B)
    static let numericEqualVerify = Self(rawValue: 0x9D)
    static let ripemd160 = Self(rawValue: 0xA6)
    static let sha256 = Self(rawValue: 0xA8)
    static let hash256 = Self(rawValue: 0xAA)
    static let checkSignatureVerify = Self(rawValue: 0xAD)
    static let checkMultisigVerify = Self(rawValue: 0xAF)
    static let checkLockTimeVerify = Self(rawValue: 0xB1)
    static let checkSequenceVerify = Self(rawValue: 0xB2)

    /// The operation that checks what this one leaves as well; `nil` if there is none.
    var withVerify: Self? {
        switch self {
        case .equal: .equalVerify
        case .numericEqual: .numericEqualVerify
        case .checkSignature: .checkSignatureVerify
        case .checkMultisig: .checkMultisigVerify
        default: nil
        }
    }

    /// The operation that leaves what this one checks; `nil` if it checks nothing.
    var withoutVerify: Self? {
        switch self {
        case .equalVerify: .equal
        case .numericEqualVerify: .numericEqual
        case .checkSignatureVerify: .checkSignature
        case .checkMultisigVerify: .checkMultisig
        default: nil
        }
    }
}

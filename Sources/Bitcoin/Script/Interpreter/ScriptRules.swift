/// Rules beyond consensus that a script is run under. What every node enforces today (BIP-16, 65, 66, 68, 112, 141, 143,
/// 147, 341, 342) always applies and cannot be switched off.
///
/// Spec: Bitcoin Core, `script/interpreter.h` (`SCRIPT_VERIFY_…`).
public struct ScriptRules: OptionSet, Hashable, Sendable {
    /// The switches, one bit each.
    public let rawValue: UInt32

    /// Rules from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Keys and the hash types of ECDSA signatures must be known ones (`STRICTENC`).
    public static let strictEncoding = Self(rawValue: 1 << 0)
    /// S of ECDSA signatures must be low (`LOW_S`, BIP-146).
    public static let lowS = Self(rawValue: 1 << 1)
    /// A signature that fails to verify must be empty (`NULLFAIL`, BIP-146).
    public static let nullFail = Self(rawValue: 1 << 2)
    /// Pushes and numbers must be the shortest (`MINIMALDATA`, BIP-62).
    public static let minimalData = Self(rawValue: 1 << 3)
    /// The argument of `OP_IF` and `OP_NOTIF` must be empty or 01, in all scripts (`MINIMALIF`; always so in tapscript).
    public static let minimalIf = Self(rawValue: 1 << 4)
    /// Exactly one item must be left (`CLEANSTACK`; always so in witnesses).
    public static let cleanStack = Self(rawValue: 1 << 5)
    /// Scripts without witness must not contain `OP_CODESEPARATOR` or their own signatures (`CONST_SCRIPTCODE`).
    public static let constantScriptCode = Self(rawValue: 1 << 6)
    /// No script may run `OP_CODESEPARATOR`, not even where consensus gives it a meaning.
    public static let noCodeSeparator = Self(rawValue: 1 << 7)
    /// Signatures must be of type ALL, or DEFAULT under BIP-340.
    public static let sighashAll = Self(rawValue: 1 << 8)
    /// Keys in witnesses of version 0 must be compressed (`WITNESS_PUBKEYTYPE`).
    public static let compressedWitnessKeys = Self(rawValue: 1 << 9)

    /// Features without rules yet must not be used: reserved `OP_NOP`s, witness versions, leaf versions, `OP_SUCCESS`, key types
    /// (`DISCOURAGE_UPGRADABLE_…`, `DISCOURAGE_OP_SUCCESS`). Pay-to-anchor counts as one: anyone can spend it.
    public static let noUpgradable = Self(rawValue: 1 << 31)
}

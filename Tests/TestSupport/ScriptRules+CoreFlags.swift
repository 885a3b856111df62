import Bitcoin

/// Our rules by the names of Bitcoin Core's flags.
///
/// Spec: Bitcoin Core, `script/interpreter.h` (`SCRIPT_VERIFY_…`).
extension ScriptRules {
    /// The flags that always hold here.
    public static let consensusFlags: Set<String> = [
        "P2SH", "DERSIG", "NULLDUMMY", "CHECKLOCKTIMEVERIFY", "CHECKSEQUENCEVERIFY", "WITNESS", "TAPROOT",
    ]

    /// The flags that are relay policy, with the rules that stand for them; five are one rule here.
    public static let flags: [String: ScriptRules] = [
        "STRICTENC": .strictEncoding, "LOW_S": .lowS, "NULLFAIL": .nullFail, "MINIMALDATA": .minimalData,
        "MINIMALIF": .minimalIf, "CLEANSTACK": .cleanStack, "CONST_SCRIPTCODE": .constantScriptCode,
        "WITNESS_PUBKEYTYPE": .compressedWitnessKeys, "DISCOURAGE_UPGRADABLE_NOPS": .noUpgradable,
        "DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM": .noUpgradable, "DISCOURAGE_UPGRADABLE_TAPROOT_VERSION": .noUpgradable,
        "DISCOURAGE_OP_SUCCESS": .noUpgradable, "DISCOURAGE_UPGRADABLE_PUBKEYTYPE": .noUpgradable,
    ]

    /// What Core has no flag for: rules that BIP-322 adds.
    public static let withoutFlag: ScriptRules = [.noCodeSeparator, .sighashAll]

    /// All rules that Core has, too: what nodes relay by.
    public static let standard = flags.values.reduce(into: ScriptRules()) { $0.formUnion($1) }

    /// Core's flags for these rules, those of consensus included.
    public var coreFlags: [String] {
        Self.consensusFlags.sorted() + Self.flags.filter { isSuperset(of: $0.value) }.keys.sorted()
    }
}

/// What a script leaf knows beyond its script.
///
/// Spec: BIP-342.
struct TapscriptContext {
    /// What every signature check costs, and what every input has beyond the bytes of its witness.
    static let costOfCheck = 50

    /// The leaf's tagged hash.
    let leafHash: [UInt8]
    /// SHA-256 of the annex with its length; `nil` without an annex.
    let annexHash: [UInt8]?
    /// What is left for signature checks.
    var budget: Int
    /// The number of the last `OP_CODESEPARATOR` run.
    var codeSeparatorPosition: UInt32 = 0xFFFF_FFFF
}

extension ScriptExecution {
    /// Whether there is a signature; one that does not verify ends the script.
    ///
    /// Spec: BIP-342, "Rules for signature opcodes".
    mutating func checkTapscript(_ signature: [UInt8], publicKey: [UInt8]) throws(ScriptFailure) -> Bool {
        guard let context = tapscript else { throw .badOpcode }
        if !signature.isEmpty {
            tapscript?.budget -= TapscriptContext.costOfCheck
            guard context.budget >= TapscriptContext.costOfCheck else { throw .signatureBudgetExceeded }
        }
        guard !publicKey.isEmpty else { throw .publicKeyType }
        guard publicKey.count == 32 else {
            guard !rules.contains(.noUpgradable) else { throw .upgradablePublicKeyType }
            return !signature.isEmpty
        }
        guard !signature.isEmpty else { return false }
        try checker.check(
            schnorr: signature, publicKey: publicKey, annexHash: context.annexHash,
            leaf: .init(hash: context.leafHash, codeSeparatorPosition: context.codeSeparatorPosition), rules: rules)
        return true
    }
}

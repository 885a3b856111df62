/// The context of a tapscript leaf, beyond its script.
///
/// Spec: BIP-342.
struct TapscriptContext {
    /// The budget that each signature check costs, and that each input has on top of its witness size.
    static let costOfCheck = 50

    /// The leaf's tagged hash.
    let leafHash: [UInt8]
    /// SHA-256 of the annex with its length; `nil` without an annex.
    let annexHash: [UInt8]?
    /// The budget left for signature checks.
    var budget: Int
    /// The position of the last executed `OP_CODESEPARATOR`.
    var codeSeparatorPosition: UInt32 = 0xFFFF_FFFF
}

extension ScriptExecution {
    /// Whether there is a signature; a signature that does not verify fails the script.
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

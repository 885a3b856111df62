/// How a locking script is spent once its redeem script and witness script are known: which script is executed, and the
/// rules for its signatures.
///
/// Spec: BIP-16 (P2SH), BIP-141 (witness programs), BIP-143 (script code).
public struct SpendingScript: Hashable, Sendable {
    /// How the executed script is wrapped.
    public enum Form: Hashable, Sendable {
        /// The locking script itself: P2PKH, P2PK, bare multisig, anything else.
        case bare
        /// A redeem script.
        case p2sh
        /// The key hash of a witness program.
        case p2wpkh
        /// The same inside P2SH.
        case p2shP2WPKH
        /// A witness script.
        case p2wsh
        /// The same inside P2SH.
        case p2shP2WSH
        /// A taproot output key.
        case p2tr
        /// A witness program without defined rules, bare or inside P2SH.
        case futureWitness
    }

    /// What signatures cover.
    public enum SignatureRules: Hashable, Sendable {
        /// The original digest, which does not cover the amount.
        case legacy
        /// The digest of BIP-143, which covers the amount.
        case segwitV0
        /// The digest of BIP-341 and Schnorr signatures, or rules not defined yet: ECDSA cannot sign it.
        case other
    }

    /// Why the scripts do not match the locking script.
    public enum Problem: Error, Hashable, Sendable {
        /// The locking script needs a redeem script that is missing.
        case redeemScriptMissing
        /// The redeem script does not match the hash in the locking script.
        case redeemScriptMismatch
        /// The program needs a witness script that is missing.
        case witnessScriptMissing
        /// The witness script does not match the hash in the program.
        case witnessScriptMismatch
    }

    /// How the executed script is wrapped.
    public let form: Form
    /// The script that is executed and that digests cover; for P2WPKH, the P2PKH script of its hash.
    public let scriptCode: Script
    /// What the executed script requires.
    public let template: ScriptTemplate

    /// Resolves a locking script; hashes are compared at each step. Scripts that are not needed are ignored.
    public init(
        scriptPubKey: Script, redeemScript: Script? = nil, witnessScript: Script? = nil
    ) throws(Problem) {
        let outer = ScriptTemplate(scriptPubKey)
        guard case .p2sh = outer else {
            try self.init(program: scriptPubKey, outer, isNested: false, witnessScript: witnessScript)
            return
        }
        guard let redeemScript else { throw .redeemScriptMissing }
        guard Script.p2sh(redeemScript) == scriptPubKey else { throw .redeemScriptMismatch }
        try self.init(
            program: redeemScript, ScriptTemplate(redeemScript), isNested: true, witnessScript: witnessScript)
    }

    private init(
        program: Script, _ template: ScriptTemplate, isNested: Bool, witnessScript: Script?
    ) throws(Problem) {
        switch template {
        case .p2wpkh(let keyHash):
            form = isNested ? .p2shP2WPKH : .p2wpkh
            scriptCode = Script.p2pkh(keyHash: keyHash) ?? program
            self.template = .p2pkh(keyHash: keyHash)
        case .p2wsh:
            guard let witnessScript else { throw .witnessScriptMissing }
            guard Script.p2wsh(witnessScript) == program else { throw .witnessScriptMismatch }
            form = isNested ? .p2shP2WSH : .p2wsh
            scriptCode = witnessScript
            self.template = ScriptTemplate(witnessScript)
        case .p2tr, .futureWitness:
            if case .p2tr = template, !isNested { form = .p2tr } else { form = .futureWitness }
            scriptCode = program
            self.template = template
        default:
            form = isNested ? .p2sh : .bare
            scriptCode = program
            self.template = template
        }
    }

    /// The rules for signatures.
    public var signatureRules: SignatureRules {
        switch form {
        case .bare, .p2sh: .legacy
        case .p2wpkh, .p2shP2WPKH, .p2wsh, .p2shP2WSH: .segwitV0
        case .p2tr, .futureWitness: .other
        }
    }

    /// The executed script as miniscript; `nil` unless it is a witness script that is miniscript, safe or not, and no
    /// template. Reads it each time.
    ///
    /// Spec: BIP-379.
    public var miniscript: Miniscript<ScriptKey>? {
        guard case .nonStandard = template, form == .p2wsh || form == .p2shP2WSH else { return nil }
        return Miniscript(scriptCode)
    }

    /// Whether the executed script pushes a key or its HASH160. A script too long to run contains no keys in this
    /// sense.
    /// - Parameter publicKey: the key's encoding, 33 or 65 bytes.
    public func names(publicKey: [UInt8]) -> Bool {
        switch template {
        case .p2pk(let key): key == publicKey
        case .p2pkh(let keyHash): keyHash == Hash160.hash(publicKey)
        case .multisig(let multisig): multisig.keys.contains(publicKey)
        default: pushes(publicKey)
        }
    }

    /// Whether no signature for a key can be a part of spending. This is known only of templates; which keys others need is
    /// found by satisfying them.
    func excludes(publicKey: [UInt8]) -> Bool { template != .nonStandard && !names(publicKey: publicKey) }

    private func pushes(_ publicKey: [UInt8]) -> Bool {
        guard scriptCode.bytes.count <= Script.maximumLength else { return false }
        let keyHash = Hash160.hash(publicKey)
        var iterator = ScriptElementIterator(scriptCode)
        while let element = iterator.next() {
            if let data = element.data, data.elementsEqual(publicKey) || data.elementsEqual(keyHash) { return true }
        }
        return false
    }
}

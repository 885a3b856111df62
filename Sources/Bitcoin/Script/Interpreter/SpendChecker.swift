/// Checks that a running script makes against the transaction: signatures and lock times.
///
/// Each digest is computed once per sighash type, while the covered script stays the same.
final class SpendChecker {
    private let transaction: Transaction
    private let input: Int
    private let amount: Amount
    private let sighashes: SighashCache
    /// `nil`: not needed, because no taproot output is spent.
    private let taprootSighashes: TaprootSighash?

    /// How many more signatures may be checked.
    private(set) var remainingChecks: Int

    private var digestedCode: (code: Script, version: SignatureVersion)?
    private var digests: [SighashType: Digest] = [:]

    init?(
        _ transaction: Transaction, input: Int, spending output: TransactionOutput, sighashes: SighashCache,
        taprootSighashes: TaprootSighash?, remainingChecks: Int
    ) {
        guard transaction.inputs.indices.contains(input), let amount = output.amount else { return nil }
        self.transaction = transaction
        self.input = input
        self.amount = amount
        self.sighashes = sighashes
        self.taprootSighashes = taprootSighashes
        self.remainingChecks = remainingChecks
    }

    /// Whether an ECDSA signature, followed by its sighash type, is valid for `publicKey`.
    func isValid(
        ecdsa signature: [UInt8], publicKey: [UInt8], code: Script, version: SignatureVersion
    ) throws(ScriptFailure) -> Bool {
        guard let byte = signature.last, let parsed = ECDSASignature(der: signature.dropLast()) else { return false }
        try countCheck()
        let digest = try digest(SighashType(rawValue: UInt32(byte)), code: code, version: version)
        return PublicKey.isValid(parsed.withLowS, for: digest, publicKey: publicKey)
    }

    /// Checks a Schnorr signature of 64 bytes, or 65 with its sighash type.
    /// - Parameter leaf: its place in a script; `nil` for the key path.
    func check(
        schnorr signature: [UInt8], publicKey: [UInt8], annexHash: [UInt8]?, leaf: TaprootSighash.Leaf?,
        rules: ScriptRules
    ) throws(ScriptFailure) {
        guard signature.count == 64 || signature.count == 65 else { throw .schnorrLength }
        let type = SighashType(rawValue: signature.count == 65 ? UInt32(signature[64]) : 0)
        guard signature.count == 64 || type.rawValue != 0 else { throw .sighashType }
        if rules.contains(.sighashAll) { guard type.rawValue == 0 || type == .all else { throw .sighashType } }
        guard
            let digest = taprootSighashes?.digest(input: input, type: type, annexHash: annexHash, leaf: leaf)
        else { throw .sighashType }
        try countCheck()
        guard SchnorrSignature.isValid(Array(signature.prefix(64)), for: digest.bytes, publicKey: publicKey) else {
            throw .schnorrInvalid
        }
    }

    /// Whether the transaction's lock time keeps it out of blocks before `demanded`.
    ///
    /// Spec: BIP-65.
    func isLockTimeReached(_ demanded: Int64) -> Bool {
        UInt32(exactly: demanded).map { locks.meets(after: $0) } ?? false
    }

    /// Whether the input's sequence keeps it out of blocks until its output is as old as `demanded`.
    ///
    /// Spec: BIP-112.
    func isSequenceReached(_ demanded: Int64) -> Bool { locks.meets(older: UInt32(truncatingIfNeeded: demanded)) }

    private var locks: InputLocks { InputLocks(transaction, transaction.inputs[input]) }

    private func digest(
        _ type: SighashType, code: Script, version: SignatureVersion
    ) throws(ScriptFailure) -> Digest {
        if digestedCode?.code != code || digestedCode?.version != version {
            digestedCode = (code, version)
            digests = [:]
        }
        if let digest = digests[type] { return digest }
        let digest: Digest
        do throws(SighashCache.Failure) {
            digest =
                version == .base
                ? try sighashes.legacyDigest(input: input, scriptCode: code, type: type)
                : try sighashes.segwitV0Digest(input: input, scriptCode: code, amount: amount, type: type)
        } catch { throw .noSuchInput }
        digests[type] = digest
        return digest
    }

    private func countCheck() throws(ScriptFailure) {
        guard remainingChecks > 0 else { throw .tooManySignatureChecks }
        remainingChecks -= 1
    }
}

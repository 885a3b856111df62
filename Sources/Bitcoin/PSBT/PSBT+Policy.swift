/// What an input has to satisfy its script: signatures, keys, preimages, and the transaction's locks.
///
/// Spec: BIP-174, "Input Finalizer"; BIP-379.
struct InputAssets: SpendingAssets {
    /// By public key.
    private let signatures: [[UInt8]: [UInt8]]
    /// By their hashes, if the script has hashes of keys.
    private let publicKeys: [[UInt8]: [UInt8]]
    private let preimages: [PreimageHash: [[UInt8]: [UInt8]]]
    private let locks: InputLocks

    /// - Parameters:
    ///   - policy: what the input's script asks for.
    ///   - signatures: those that are known to be valid.
    ///   - locks: those that the transaction meets.
    init(
        _ input: PSBT.Input, for policy: Miniscript<ScriptKey>, signatures: [PartialSignature], locks: InputLocks
    ) {
        self.locks = locks
        self.signatures = Dictionary(signatures.lazy.map { ($0.publicKey, $0.signature) }) { first, _ in first }
        let needsHashes = policy.keys.contains { if case .hash = $0 { true } else { false } }
        let publicKeys = needsHashes ? signatures.map(\.publicKey) + input.derivations.map(\.publicKey) : []
        self.publicKeys = Dictionary(publicKeys.lazy.map { (Hash160.hash($0), $0) }) { first, _ in first }
        preimages = input.preimages
    }

    func signature(of key: ScriptKey) -> [UInt8]? { publicKey(of: key).flatMap { signatures[$0] } }

    func publicKey(of key: ScriptKey) -> [UInt8]? {
        switch key {
        case .key(let bytes): bytes
        case .hash(let hash): publicKeys[hash]
        }
    }

    func preimage(of hash: [UInt8], _ function: PreimageHash) -> [UInt8]? { preimages[function]?[hash] }
    func isOpen(olderThan number: UInt32) -> Bool { locks.meets(older: number) }
    func isOpen(after number: UInt32) -> Bool { locks.meets(after: number) }
}

extension PSBT.Input {
    /// The preimages of 32 bytes that the input has, by their hashes.
    ///
    /// Spec: BIP-174, `PSBT_IN_RIPEMD160`, `PSBT_IN_SHA256`, `PSBT_IN_HASH160`, `PSBT_IN_HASH256`.
    public var preimages: [PreimageHash: [[UInt8]: [UInt8]]] {
        var preimages: [PreimageHash: [[UInt8]: [UInt8]]] = [:]
        for function in PreimageHash.allCases {
            for record in map.records(ofType: function.inputType.rawValue)
            where record.value.count == PreimageHash.preimageLength {
                preimages[function, default: [:]][Array(record.keyData)] = Array(record.value)
            }
        }
        return preimages
    }

    /// Adds a preimage, or replaces it.
    /// - Parameter preimage: 32 bytes, or no script of miniscript takes it; the field's key is its hash.
    public mutating func addPreimage(_ preimage: [UInt8], of function: PreimageHash) {
        map.set(
            PSBTRecord(
                type: function.inputType.rawValue, keyData: function.hash(preimage)[...], value: preimage[...]))
    }
}

extension PreimageHash {
    fileprivate var inputType: PSBTInputType {
        switch self {
        case .sha256: .sha256Preimage
        case .hash256: .hash256Preimage
        case .ripemd160: .ripemd160Preimage
        case .hash160: .hash160Preimage
        }
    }
}

extension PSBT {
    /// The lock times that the transaction has for an input.
    /// - Throws: `PSBTError.noSuchInput`.
    public func locks(ofInput index: Int) throws(PSBTError) -> InputLocks {
        let transaction = unsignedTransaction
        guard transaction.inputs.indices.contains(index) else { throw .noSuchInput(index) }
        return InputLocks(transaction, transaction.inputs[index])
    }

    /// Rules of the network for witness scripts, beside consensus.
    package static let policyRules: ScriptRules = [
        .strictEncoding, .lowS, .nullFail, .minimalData, .minimalIf, .cleanStack, .compressedWitnessKeys,
    ]

    /// Runs a witness script of miniscript on the items that an input has for it.
    /// - Throws: `PSBTError.input` with `.finalScriptsDoNotSpend`, or `.otherSighashType` for a signature.
    func verifyPolicy(
        _ spending: Spending, _ stack: [[UInt8]], _ checker: SignatureChecker, using cache: SighashCache
    ) throws(PSBTError) {
        for item in stack where ECDSASignature(der: item.dropLast()) != nil {
            try checker.checkType(SighashType(rawValue: UInt32(item.last ?? 0)))
        }
        var input = TransactionInput(
            outpoint: unsignedTransaction.inputs[spending.input].outpoint,
            sequence: unsignedTransaction.inputs[spending.input].sequence)
        input.witness = stack + [spending.script.scriptCode.bytes]
        guard
            let spendChecker = SpendChecker(
                unsignedTransaction, input: spending.input, spending: spending.output, sighashes: cache,
                taprootSighashes: nil, remainingChecks: SpendVerifier.maximumSignatureChecks)
        else { throw .input(spending.input, .amountOutOfRange) }
        let spend = InputSpend(
            input: input, scriptPubKey: .p2wsh(spending.script.scriptCode), rules: Self.policyRules,
            checker: spendChecker)
        do throws(ScriptFailure) { try spend.verify() } catch { throw .input(spending.input, .finalScriptsDoNotSpend) }
    }
}

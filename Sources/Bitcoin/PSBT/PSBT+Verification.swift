extension PSBT {
    /// What is known about the final scripts of an input.
    public enum FinalScriptsVerdict: Hashable, Sendable {
        /// They spend the output: every signature verifies.
        case verified
        /// Their kind of script is not executed here: taproot, or not a template.
        case notExamined
    }

    /// Verifies every partial signature of an input: its digest, its key, which must be one of the script's if that is a
    /// template, its sighash type, low S.
    /// - Parameter cache: prepared from `unsignedTransaction`.
    /// - Throws: what `spending(ofInput:)` and `Spending.digest` throw; `PSBTError.input` with `.invalidSignature` or
    ///   `.otherSighashType`.
    public func verifyPartialSignatures(ofInput index: Int, using cache: SighashCache) throws(PSBTError) {
        let spending = try spending(ofInput: index)
        try verifyPartialSignatures(of: spending, using: cache)
    }

    /// Whether a signature would be a valid partial signature of an input: its digest, its key, its sighash type, low S.
    /// - Parameters:
    ///   - signature: by any key; one that the script does not have makes none, if the script is a template.
    ///   - cache: prepared from `unsignedTransaction`.
    /// - Returns: also false when what the input spends is unknown or contradictory.
    public func isValidPartialSignature(
        _ signature: PartialSignature, ofInput index: Int, using cache: SighashCache
    ) -> Bool {
        !validPartialSignatures([signature], ofInput: index, using: cache).isEmpty
    }

    /// Which of many signatures would be valid partial signatures of an input, in their order; see
    /// `isValidPartialSignature`. What the input spends is determined only once.
    public func validPartialSignatures(
        _ candidates: [PartialSignature], ofInput index: Int, using cache: SighashCache
    ) -> [PartialSignature] {
        guard !candidates.isEmpty, let spending = try? spending(ofInput: index) else { return [] }
        var checker = SignatureChecker(spending, demanding: inputs[index].sighashType, using: cache)
        return candidates.filter { (try? checker.verifies($0.signature, publicKey: $0.publicKey)) ?? false }
    }

    func verifyPartialSignatures(of spending: Spending, using cache: SighashCache) throws(PSBTError) {
        let input = inputs[spending.input]
        var checker = SignatureChecker(spending, demanding: input.sighashType, using: cache)
        for signature in input.partialSignatures {
            guard try checker.verifies(signature.signature, publicKey: signature.publicKey) else {
                throw .input(spending.input, .invalidSignature(publicKey: signature.publicKey))
            }
        }
    }

    /// Verifies the final scriptSig and witness of an input: they must spend the output, in the only form that nodes
    /// relay, and every signature in them must verify.
    /// - Parameter cache: prepared from `unsignedTransaction`.
    /// - Throws: what `spending(ofInput:)` and `Spending.digest` throw; `PSBTError.input` with `.notFinal`,
    ///   `.finalScriptsDoNotSpend`, `.invalidSignature` or `.otherSighashType`.
    public func verifyFinalScripts(
        ofInput index: Int, using cache: SighashCache
    ) throws(PSBTError) -> FinalScriptsVerdict {
        let spending = try spending(ofInput: index)
        let input = inputs[index]
        guard input.isFinal else { throw .input(index, .notFinal) }
        guard spending.script.signatureRules != .other else { return .notExamined }
        guard let stack = spending.stack(scriptSig: input.finalScriptSig ?? Script(), witness: input.finalWitness ?? [])
        else { throw .input(index, .finalScriptsDoNotSpend) }
        var checker = SignatureChecker(spending, demanding: input.sighashType, using: cache)

        switch spending.script.template {
        case .p2pk(let publicKey):
            guard stack.count == 1 else { throw .input(index, .finalScriptsDoNotSpend) }
            try Self.require(stack[0], publicKey: publicKey, of: index, &checker)
        case .p2pkh(let keyHash):
            guard stack.count == 2, Hash160.hash(stack[1]) == keyHash else {
                throw .input(index, .finalScriptsDoNotSpend)
            }
            try Self.require(stack[0], publicKey: stack[1], of: index, &checker)
        case .multisig(let multisig):
            guard stack.count == multisig.threshold + 1, stack[0].isEmpty else {
                throw .input(index, .finalScriptsDoNotSpend)
            }
            var keys = multisig.keys[...]
            for signature in stack.dropFirst() {
                var isFound = false
                while !isFound, let key = keys.popFirst() { isFound = try checker.verifies(signature, publicKey: key) }
                guard isFound else { throw .input(index, .finalScriptsDoNotSpend) }
            }
        default:
            guard spending.script.miniscript != nil else { return .notExamined }
            try verifyPolicy(spending, stack, checker, using: cache)
        }
        return .verified
    }

    private static func require(
        _ signature: [UInt8], publicKey: [UInt8], of index: Int, _ checker: inout SignatureChecker
    ) throws(PSBTError) {
        guard try checker.verifies(signature, publicKey: publicKey) else {
            throw .input(index, .invalidSignature(publicKey: publicKey))
        }
    }
}

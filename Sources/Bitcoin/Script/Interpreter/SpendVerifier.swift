import ByteCodec

/// Runs the scripts of a transaction's inputs against the outputs that they spend.
///
/// Every consensus rule about scripts is enforced, plus the requested `ScriptRules`. Time grows with the size of scripts
/// and witnesses and with the number of signatures, which is limited to what a block allows; memory is limited by the
/// limits of the stack.
///
/// Spec: Bitcoin Core, `VerifyScript`; BIP-16, BIP-141, BIP-341, BIP-342.
public struct SpendVerifier {
    /// The most signatures checked, for all inputs together.
    ///
    /// Spec: BIP-141, "Sigops".
    static let maximumSignatureChecks = 80_000

    let transaction: Transaction
    let spentOutputs: [TransactionOutput]
    private let sighashes: SighashCache
    private let taprootSighashes: TaprootSighash
    private var remainingChecks = Self.maximumSignatureChecks

    /// Prepares a transaction for verification.
    /// - Parameter spentOutputs: what each input spends, in the order of the inputs; returns `nil` when their number
    ///   differs.
    public init?(_ transaction: Transaction, spentOutputs: [TransactionOutput]) {
        guard let taproot = TaprootSighash(transaction, spentOutputs: spentOutputs) else { return nil }
        self.transaction = transaction
        self.spentOutputs = spentOutputs
        sighashes = SighashCache(transaction)
        taprootSighashes = taproot
    }

    /// Checks that an input's scriptSig and witness satisfy the output that it spends.
    /// - Parameters:
    ///   - index: the input's index, from 0.
    ///   - rules: rules beyond consensus.
    /// - Throws: why they do not satisfy it.
    public mutating func verify(input index: Int, rules: ScriptRules = []) throws(ScriptFailure) {
        guard spentOutputs.indices.contains(index),
            let checker = SpendChecker(
                transaction, input: index, spending: spentOutputs[index], sighashes: sighashes,
                taprootSighashes: taprootSighashes, remainingChecks: remainingChecks)
        else { throw .noSuchInput }
        defer { remainingChecks = checker.remainingChecks }
        let spend = InputSpend(
            input: transaction.inputs[index], scriptPubKey: spentOutputs[index].scriptPubKey, rules: rules,
            checker: checker)
        try spend.verify()
    }
}

/// One input and the script that it must satisfy.
struct InputSpend {
    let input: TransactionInput
    let scriptPubKey: Script
    let rules: ScriptRules
    let checker: SpendChecker

    func verify() throws(ScriptFailure) {
        let pushed = try run(input.scriptSig, on: ScriptStack())
        var stack = try run(scriptPubKey, on: pushed)
        try Self.requireTrue(stack)

        var usesWitness = false
        if let (version, program) = scriptPubKey.witnessProgram {
            usesWitness = true
            guard input.scriptSig.isEmpty else { throw .scriptSigBesideWitness }
            try verifyWitness(version: version, program: program, isNested: false)
            stack = ScriptStack([[1]])
        } else if case .p2sh = ScriptTemplate(scriptPubKey) {
            guard input.scriptSig.isPushOnly else { throw .scriptSigNotPushOnly }
            var inner = pushed
            let redeemScript = Script(try inner.pop())
            stack = try run(redeemScript, on: inner)
            try Self.requireTrue(stack)
            if let (version, program) = redeemScript.witnessProgram {
                usesWitness = true
                guard input.scriptSig == Script(pushing: [redeemScript.bytes]) else { throw .scriptSigBesideWitness }
                try verifyWitness(version: version, program: program, isNested: true)
                stack = ScriptStack([[1]])
            }
        }
        if rules.contains(.cleanStack) { guard stack.count == 1 else { throw .stackNotClean } }
        guard usesWitness || input.witness.isEmpty else { throw .unexpectedWitness }
    }

    private func run(_ script: Script, on stack: ScriptStack) throws(ScriptFailure) -> ScriptStack {
        var execution = ScriptExecution(script, stack: stack, version: .base, rules: rules, checker: checker)
        try execution.run()
        return execution.stack
    }

    private static func requireTrue(_ stack: ScriptStack) throws(ScriptFailure) {
        guard let top = stack.items.last, ScriptNumber.isTrue(top) else { throw .evaluatedFalse }
    }
}

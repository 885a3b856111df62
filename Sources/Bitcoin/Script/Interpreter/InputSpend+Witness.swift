extension InputSpend {
    /// Checks that the input's witness spends a witness program.
    /// - Parameter isNested: whether the program is a redeem script.
    ///
    /// Spec: BIP-141, "Witness program".
    func verifyWitness(version: UInt8, program: [UInt8], isNested: Bool) throws(ScriptFailure) {
        switch (version, program.count) {
        case (0, 20):
            guard input.witness.count == 2, let code = Script.p2pkh(keyHash: program) else { throw .witnessMismatch }
            try run(code, on: input.witness, version: .witnessV0)
        case (0, 32):
            guard let script = input.witness.last else { throw .witnessEmpty }
            guard SHA256.hash(script) == program else { throw .witnessMismatch }
            try run(Script(script), on: Array(input.witness.dropLast()), version: .witnessV0)
        case (0, _): throw .witnessProgramLength
        case (1, 32) where !isNested: try verifyTaproot(outputKey: program)
        default: guard !rules.contains(.noUpgradable) else { throw .upgradableWitnessProgram }
        }
    }

    /// Runs a witness script; it must leave exactly one true item.
    func run(
        _ script: Script, on items: [[UInt8]], version: SignatureVersion, tapscript: TapscriptContext? = nil
    ) throws(ScriptFailure) {
        guard items.allSatisfy({ $0.count <= ScriptStack.maximumItemLength }) else { throw .itemTooLong }
        var execution = ScriptExecution(
            script, stack: ScriptStack(items), version: version, rules: rules, checker: checker, tapscript: tapscript)
        try execution.run()
        guard execution.stack.count == 1 else { throw .stackNotClean }
        guard ScriptNumber.isTrue(try execution.stack.item()) else { throw .evaluatedFalse }
    }
}

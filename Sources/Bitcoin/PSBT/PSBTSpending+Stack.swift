extension PSBT.Spending {
    /// The scriptSig and witness that give a stack to the executed script, followed by the scripts that the output
    /// commits to.
    ///
    /// Spec: BIP-16, BIP-141.
    func unlocking(_ stack: [[UInt8]]) -> (scriptSig: Script, witness: [[UInt8]]) {
        if script.signatureRules == .legacy { return (Script(pushing: stack + opening), []) }
        return (Script(pushing: redeemScript.map { [$0.bytes] } ?? []), stack + opening)
    }

    /// The stack that a scriptSig and witness give to the executed script; `nil` when they differ from what `unlocking`
    /// makes of it.
    func stack(scriptSig: Script, witness: [[UInt8]]) -> [[UInt8]]? {
        guard let items = script.signatureRules == .legacy ? scriptSig.pushes : witness else { return nil }
        let stack = Array(items.dropLast(opening.count))
        return unlocking(stack) == (scriptSig, witness) ? stack : nil
    }

    /// The executed script, when it is not in the output.
    private var opening: [[UInt8]] {
        switch script.form {
        case .p2sh, .p2wsh, .p2shP2WSH: [script.scriptCode.bytes]
        case .bare, .p2wpkh, .p2shP2WPKH, .p2tr, .futureWitness: []
        }
    }
}

extension Script {
    /// What a push-only script leaves on the stack; `nil` for any other.
    fileprivate var pushes: [[UInt8]]? {
        guard isPushOnly else { return nil }
        return elements?.map { element in
            if let data = element.data { return Array(data) }
            return [element.opcode.number.map { UInt8($0) } ?? 0x81]
        }
    }
}

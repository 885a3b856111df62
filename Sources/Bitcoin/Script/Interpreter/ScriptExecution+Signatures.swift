/// Operations that check signatures.
enum SignatureOperation: UInt8 {
    case codeSeparator = 0xAB
    case check = 0xAC
    case checkVerify = 0xAD
    case checkMultisig = 0xAE
    case checkMultisigVerify = 0xAF
    case checkAdd = 0xBA
}

extension ScriptExecution {
    mutating func run(_ operation: SignatureOperation, position: UInt32, end: Int) throws(ScriptFailure) {
        switch operation {
        case .codeSeparator:
            guard !rules.contains(.noCodeSeparator) else { throw .codeSeparator }
            codeStart = end
            coveredCode = nil
            tapscript?.codeSeparatorPosition = position
        case .check: stack.push(try popCheck())
        case .checkVerify:
            guard try popCheck() else { throw .verifyFailed(Opcode(rawValue: operation.rawValue)) }
        case .checkMultisig: stack.push(try popMultisig())
        case .checkMultisigVerify:
            guard try popMultisig() else { throw .verifyFailed(Opcode(rawValue: operation.rawValue)) }
        case .checkAdd: try checkAdd()
        }
    }

    private mutating func popCheck() throws(ScriptFailure) -> Bool {
        try stack.require(2)
        let publicKey = try stack.pop()
        let signature = try stack.pop()
        guard version != .tapscript else { return try checkTapscript(signature, publicKey: publicKey) }
        let code = try code(without: [signature])
        let isValid = try isValid(signature, publicKey: publicKey, code: code)
        guard isValid || signature.isEmpty || !rules.contains(.nullFail) else { throw .signatureNotEmpty }
        return isValid
    }

    /// Spec: BIP-342, `OP_CHECKSIGADD`.
    private mutating func checkAdd() throws(ScriptFailure) {
        guard version == .tapscript else { throw .badOpcode }
        try stack.require(3)
        let publicKey = try stack.pop()
        let sum = try popNumber()
        let signature = try stack.pop()
        stack.push(sum + (try checkTapscript(signature, publicKey: publicKey) ? 1 : 0))
    }

    /// Whether an ECDSA signature is valid for a key, with both well encoded.
    func isValid(_ signature: [UInt8], publicKey: [UInt8], code: Script) throws(ScriptFailure) -> Bool {
        try SignatureEncoding.check(signature, rules: rules)
        try SignatureEncoding.check(publicKey: publicKey, version: version, rules: rules)
        return try checker.isValid(ecdsa: signature, publicKey: publicKey, code: code, version: version)
    }

    /// The script after the last executed `OP_CODESEPARATOR`; outside witnesses, also without the signatures themselves.
    mutating func code(without signatures: [[UInt8]]) throws(ScriptFailure) -> Script {
        var code = coveredCode ?? (codeStart == 0 ? script : Script(script.bytes[codeStart...]))
        coveredCode = code
        guard version == .base else { return code }
        for signature in signatures {
            guard let shorter = code.removing(pushOf: signature) else { continue }
            guard !rules.contains(.constantScriptCode) else { throw .signatureInScript }
            code = shorter
        }
        return code
    }
}

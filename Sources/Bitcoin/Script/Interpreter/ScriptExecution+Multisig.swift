extension ScriptExecution {
    /// Pops keys, signatures and the extra item, and returns whether every signature is by one of the keys, in the same order.
    mutating func popMultisig() throws(ScriptFailure) -> Bool {
        guard version != .tapscript else { throw .multisigInTapscript }
        let keyCount = try number(try stack.item())
        guard (0...Int64(MultisigScript.maximumKeyCount)).contains(keyCount) else { throw .keyCount }
        try countOperations(Int(keyCount))
        try stack.require(Int(keyCount) + 2)
        let signatureCount = try number(try stack.item(Int(keyCount) + 1))
        guard (0...keyCount).contains(signatureCount) else { throw .signatureCount }
        try stack.require(Int(keyCount + signatureCount) + 3)

        // Both lists from the top: the last key and the last signature come first.
        try stack.pop()
        let keys = try pop(Int(keyCount))
        try stack.pop()
        let signatures = try pop(Int(signatureCount))
        let code = try code(without: signatures)
        let isValid = try areValid(signatures, keys: keys, code: code)
        if !isValid, rules.contains(.nullFail) {
            guard signatures.allSatisfy({ $0.isEmpty }) else { throw .signatureNotEmpty }
        }
        guard try stack.pop().isEmpty else { throw .multisigDummyNotEmpty }
        return isValid
    }

    private func areValid(_ signatures: [[UInt8]], keys: [[UInt8]], code: Script) throws(ScriptFailure) -> Bool {
        var signatures = signatures[...]
        var keys = keys[...]
        while let signature = signatures.first {
            guard signatures.count <= keys.count, let key = keys.popFirst() else { return false }
            if try isValid(signature, publicKey: key, code: code) { signatures.removeFirst() }
        }
        return true
    }

    private mutating func pop(_ count: Int) throws(ScriptFailure) -> [[UInt8]] {
        var items: [[UInt8]] = []
        for _ in 0..<count { items.append(try stack.pop()) }
        return items
    }
}

import ByteCodec

extension InputSpend {
    /// The leaf version of tapscript.
    private static let tapscriptLeafVersion: UInt8 = 0xC0
    /// The first byte of an annex.
    private static let annexTag: UInt8 = 0x50

    /// Checks that the input's witness spends a taproot output, by its key or by one of its scripts.
    ///
    /// Spec: BIP-341, "Script validation rules".
    func verifyTaproot(outputKey: [UInt8]) throws(ScriptFailure) {
        var items = input.witness[...]
        guard !items.isEmpty else { throw .witnessEmpty }
        var annexHash: [UInt8]?
        if items.count >= 2, let annex = items.last, annex.first == Self.annexTag {
            var sized: [UInt8] = []
            sized.appendSized(annex)
            annexHash = SHA256.hash(sized)
            items.removeLast()
        }
        guard items.count > 1, let control = items.popLast(), let script = items.popLast() else {
            try checker.check(
                schnorr: items.first ?? [], publicKey: outputKey, annexHash: annexHash, leaf: nil, rules: rules)
            return
        }
        let block = try ControlBlock(control)
        let leafHash = TaprootLeaf.hash(version: block.leafVersion, script: script)
        guard block.commits(outputKey: outputKey, to: leafHash) else { throw .witnessMismatch }
        guard block.leafVersion == Self.tapscriptLeafVersion else {
            guard !rules.contains(.noUpgradable) else { throw .upgradableLeafVersion }
            return
        }
        var witness: [UInt8] = []
        witness.appendWitnessStack(input.witness)
        try runTapscript(
            Script(script), on: Array(items),
            TapscriptContext(
                leafHash: leafHash, annexHash: annexHash, budget: witness.count + TapscriptContext.costOfCheck))
    }

    /// Spec: BIP-342, "Script execution".
    private func runTapscript(
        _ script: Script, on items: [[UInt8]], _ context: TapscriptContext
    ) throws(ScriptFailure) {
        var iterator = ScriptElementIterator(script)
        while let element = iterator.next() {
            guard element.opcode.isSuccess else { continue }
            guard !rules.contains(.noUpgradable) else { throw .upgradableSuccess }
            return
        }
        guard !iterator.isTruncated else { throw .badOpcode }
        guard items.count <= ScriptStack.maximumCount else { throw .tooManyItems }
        try run(script, on: items, version: .tapscript, tapscript: context)
    }
}

extension Opcode {
    /// Whether the operation makes a whole tapscript succeed until it gets a meaning.
    ///
    /// Spec: BIP-342, `OP_SUCCESSx`.
    var isSuccess: Bool {
        switch rawValue {
        case 80, 98, 126...129, 131...134, 137...138, 141...142, 149...153, 187...254: true
        default: false
        }
    }
}

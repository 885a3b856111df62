import Bitcoin

/// Scripts as the interpreter runs them. The bytes are choices: how a script is wrapped, the rules, and the script itself
/// with its initial stack; or a whole transaction with the outputs it spends.
enum ScriptTarget: FuzzTarget {
    static let name = "script"

    static func run(_ bytes: [UInt8]) throws {
        var source = ByteSource(bytes)
        let wrapping = source.choice(6)
        let rules = ScriptRules(rawValue: source.number())
        let fewer = ScriptRules(rawValue: rules.rawValue & source.number())
        let (transaction, spent) = wrapping == 5 ? try published(&source) : crafted(wrapping, &source)
        checkText(spent[0].scriptPubKey)
        for index in transaction.inputs.indices {
            let all = failure(transaction, spent, index, rules)
            expectSame(failure(transaction, spent, index, rules), all, "the same spend gets the same verdict")
            guard all == nil else { continue }
            expect(failure(transaction, spent, index, fewer) == nil, "fewer rules refuse no more")
            expect(failure(transaction, spent, index, []) == nil, "rules only add to consensus")
        }
    }

    private static func failure(
        _ transaction: Transaction, _ spent: [TransactionOutput], _ index: Int, _ rules: ScriptRules
    ) -> ScriptFailure? {
        var verifier = required(SpendVerifier(transaction, spentOutputs: spent), "every input has its output")
        do throws(ScriptFailure) {
            try verifier.verify(input: index, rules: rules)
            return nil
        } catch { return error }
    }

    /// Properties of a script's text, whatever the script does.
    private static func checkText(_ script: Script) {
        if let elements = script.elements {
            var iterator = ScriptElementIterator(script)
            var count = 0
            while iterator.next() != nil { count += 1 }
            expectSame(count, elements.count, "a script's operations are counted alike")
            expectSame(iterator.offset, script.bytes.count, "a script's operations fill it")
            if script.isPushOnly, elements.allSatisfy(\.isMinimal), elements.allSatisfy({ $0.data != nil }) {
                let pushed = Script(pushing: elements.compactMap { $0.data.map(Array.init) })
                expectSame(pushed, script, "pushes are written in one shortest way")
            }
        }
        if let multisig = MultisigScript(script) {
            expectSame(multisig.script, script, "a multisig script is written as it was read")
        }
        for network in [Network.main, .test, .regtest] {
            guard let address = Address(scriptPubKey: script, network: network) else { continue }
            let read = required("an address is read") { try Address(parsing: address.description, network: network) }
            expectSame(read.scriptPubKey, script, "an address is that of its script")
        }
    }

    private static let outpoint = Outpoint(
        transactionID: required(TransactionID([UInt8](repeating: 1, count: 32)), "32 bytes are an id"), index: 0)

    /// One input that spends a script, wrapped in one of five ways.
    private static func crafted(_ wrapping: Int, _ source: inout ByteSource) -> (Transaction, [TransactionOutput]) {
        let (version, sequence, lockTime) = (source.pick([2, 1, 0] as [UInt32]), source.number(), source.number())
        let stack = (0..<source.choice(6)).map { _ in source.sized() }
        let script = Script(source.rest())
        var input = TransactionInput(outpoint: outpoint, sequence: sequence)
        var scriptPubKey = script
        switch wrapping {
        case 0: input.scriptSig = Script(pushing: stack)
        case 1:
            input.scriptSig = Script(pushing: stack + [script.bytes])
            scriptPubKey = .p2sh(script)
        case 2:
            input.witness = stack + [script.bytes]
            scriptPubKey = .p2wsh(script)
        case 3:
            input.witness = stack + [script.bytes]
            input.scriptSig = Script(pushing: [Script.p2wsh(script).bytes])
            scriptPubKey = .p2sh(.p2wsh(script))
        default:
            let leaf = TapLeafSpend(script)
            input.witness = stack + [script.bytes, leaf.controlBlock]
            scriptPubKey = leaf.scriptPubKey
        }
        let transaction = Transaction(
            version: version, inputs: [input], outputs: [TransactionOutput(value: 1_000, scriptPubKey: Script([0x51]))],
            lockTime: lockTime)
        return (transaction, [TransactionOutput(value: 2_000, scriptPubKey: scriptPubKey)])
    }

    /// A transaction, preceded by the outputs that it spends.
    private static func published(_ source: inout ByteSource) throws -> (Transaction, [TransactionOutput]) {
        let spent = (0...source.choice(4)).map { _ in
            TransactionOutput(
                value: Int64(source.number()) << 32 | Int64(source.number()), scriptPubKey: Script(source.sized()))
        }
        let transaction = try Transaction(serialized: source.rest())
        guard transaction.inputs.count == spent.count else { throw NotThese() }
        return (transaction, spent)
    }

    private struct NotThese: Error {}

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] { try ScriptSeeds.all(vectors) }
}

@testable import Bitcoin

/// Miniscript: its text with letters for keys, or a script. The first byte chooses which of the two, and where the script is
/// executed; the next ones, what is at hand to spend it, and the transaction's locks.
enum MiniscriptTarget: FuzzTarget {
    static let name = "miniscript"
    static let maximumLength = 2_048

    static func run(_ bytes: [UInt8]) throws {
        var source = ByteSource(bytes)
        let choice = source.byte()
        let context: MiniscriptContext = choice & 2 == 0 ? .p2wsh : .tapscript
        let assets = MiniscriptAssets(&source)
        let rest = source.rest()
        guard choice & 1 == 1 else {
            let script = Script(rest)
            guard let expression = Miniscript(script, in: context) else { return }
            expectSame(expression.script { $0 }, script, "a script that is read is written the same")
            checkSize(expression, script)
            return
        }
        guard let text = String(validating: rest, as: UTF8.self) else { return }
        let expression = try parse(text, context)
        let written = expression.text { String($0) }
        expectSame(
            required("what is written is read") { try parse(written, context) }.text { String($0) }, written,
            "an expression is written in one way")
        let script = expression.script { .key(MiniscriptAssets.key($0, in: context)) }
        checkSize(expression, script)
        guard expression.type.contains(.base) else { return }
        if script.bytes.count <= context.maximumScriptLength {
            let read = required(Miniscript<ScriptKey>(script, in: context), "the script of an expression is one")
            expectSame(read.script { $0 }, script, "what is read from a script has that script")
        }
        // Nothing here signs for taproot.
        if context == .p2wsh { checkSpending(expression, script, assets) }
    }

    private static func parse(_ text: String, _ context: MiniscriptContext) throws -> Miniscript<Character> {
        try Miniscript(parsing: text[...], in: context) { key throws(MiniscriptError) in
            guard let letter = key.first, key.count == 1, ("A"..."P").contains(letter) else { throw .malformed }
            return letter
        }
    }

    private static func checkSize<Key>(_ expression: Miniscript<Key>, _ script: Script) {
        expectSame(expression.resources.scriptLength, script.bytes.count, "a script is as long as was foreseen")
    }

    /// A witness is allowed by the policy, no larger than foreseen, and valid; of a safe expression there is one exactly if
    /// the policy allows it.
    private static func checkSpending(
        _ expression: Miniscript<Character>, _ script: Script, _ assets: MiniscriptAssets
    ) {
        let isSafe = expression.fault(comparing: { $0 }) == nil
        let spend = MiniscriptLetterSpend(script, assets)
        guard let witness = expression.witness(with: spend) else {
            expect(!isSafe || !spend.allows(SpendingPolicy(expression)), "what a safe policy allows is found")
            return
        }
        expect(spend.allows(SpendingPolicy(expression)), "what is found is allowed")
        guard isSafe else { return }
        let size = witness.reduce(0) { $0 + $1.count + ($1.count < 0xFD ? 1 : 3) }
        expect(size <= expression.largestSatisfaction ?? 0, "a witness is no larger than foreseen")
        expect(spend.isValid(witness), "a witness is valid")
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        // Hexadecimal keys become letters, in their order.
        let texts = try vectors.texts(in: "bitcoin-core/miniscript.json").filter { $0.contains("(") }.map { text in
            var (written, letters) = (text, "ABCDEFGHIJKLMNOP"[...])
            while let key = written.firstMatch(of: /\b0[23][0-9a-fA-F]{64}\b/), let letter = letters.popFirst() {
                written.replaceSubrange(key.range, with: String(letter))
            }
            return written
        }
        let multisigs = texts.map { $0.replacing("multi(", with: "multi_a(") }
        return seeds(texts, .p2wsh, start: 0) + seeds(multisigs, .tapscript, start: 2)
    }

    private static func seeds(_ texts: [String], _ context: MiniscriptContext, start: UInt8) -> [[UInt8]] {
        let choices: [UInt8] = [0xFF, 0xFF, 0x0F, 2, 2]
        var seeds: [[UInt8]] = []
        for text in texts {
            seeds.append([start | 1] + choices + Array(text.utf8))
            guard let expression = try? parse(text, context) else { continue }
            let script = expression.script { .key(MiniscriptAssets.key($0, in: context)) }
            seeds.append([start] + choices + script.bytes)
        }
        return seeds
    }
}

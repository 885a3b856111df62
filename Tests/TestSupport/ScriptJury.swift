import Bitcoin
import ByteCodec
import Foundation
import Testing

/// Runs scripts by our interpreter and remembers what it found, until Bitcoin Core's own code judges all of it in one go:
/// `agree()` belongs at the end of every test that has one.
///
/// Spec: Bitcoin Core, `VerifyScript`; `Tests/Interop/script_kernel.py`.
public struct ScriptJury {
    /// One transaction, and what was found of its inputs.
    private struct Spend {
        let transaction: Transaction
        let spentOutputs: [TransactionOutput]
        var trials: [Trial] = []
    }

    /// What our interpreter found of one input under one set of rules.
    private struct Trial {
        let input: Int
        let rules: ScriptRules
        let found: String
        /// What it finds where Core's `MINIMALIF`, which holds in witnesses alone, does not hold; ours, which BIP-322 needs,
        /// holds in every script.
        let foundWithoutMinimalIf: String
        let comment: String
    }

    private var spends: [Spend] = []
    /// The interpreter for the last transaction.
    private var verifier: SpendVerifier?

    /// A jury that has seen nothing yet.
    public init() {}

    /// How many verdicts there are.
    public var count: Int { spends.reduce(0) { $0 + $1.trials.count } }

    /// Runs the scripts of an input under each of some sets of rules.
    /// - Parameter comment: names the case in a failure.
    /// - Returns: what our interpreter found, in the same order; `nil` where the output is spent.
    @discardableResult
    public mutating func judge(
        _ transaction: Transaction, spending spentOutputs: [TransactionOutput], input: Int = 0,
        under rules: [ScriptRules], _ comment: @autoclosure () -> String = ""
    ) -> [ScriptFailure?] {
        if spends.last?.transaction != transaction || spends.last?.spentOutputs != spentOutputs {
            spends.append(Spend(transaction: transaction, spentOutputs: spentOutputs))
            verifier = SpendVerifier(transaction, spentOutputs: spentOutputs)
        }
        let comment = comment()
        return rules.map { rules in
            let failure = run(input, under: rules)
            // What no node could be asked: such inputs are none to Core.
            guard failure != .noSuchInput else { return failure }
            let coreRules = rules.subtracting(.withoutFlag)
            let coreFailure = coreRules == rules ? failure : run(input, under: coreRules)
            let other =
                coreFailure == .conditionNotMinimal
                ? run(input, under: coreRules.subtracting(.minimalIf)) : coreFailure
            spends[spends.count - 1].trials.append(
                Trial(
                    input: input, rules: coreRules, found: CoreScriptError.name(of: coreFailure),
                    foundWithoutMinimalIf: CoreScriptError.name(of: other), comment: comment))
            return failure
        }
    }

    private mutating func run(_ input: Int, under rules: ScriptRules) -> ScriptFailure? {
        do throws(ScriptFailure) {
            guard verifier != nil else { throw .noSuchInput }
            try verifier?.verify(input: input, rules: rules)
            return nil
        } catch { return error }
    }

    /// The same under one set of rules.
    public mutating func failure(
        _ transaction: Transaction, spending spentOutputs: [TransactionOutput], input: Int = 0,
        rules: ScriptRules = [], _ comment: @autoclosure () -> String = ""
    ) -> ScriptFailure? {
        judge(transaction, spending: spentOutputs, input: input, under: [rules], comment())[0]
    }

    /// Asks Core, and expects that it found the same everywhere, reasons included.
    public func agree(at location: SourceLocation = #_sourceLocation) async throws {
        let spends = spends.filter { !$0.trials.isEmpty }
        let request = spends.map { spend -> [String: Any] in
            [
                "tx": Hex.encode(spend.transaction.serialized()),
                "spent": spend.spentOutputs.map {
                    ["amount_sat": $0.value, "script": Hex.encode($0.scriptPubKey.bytes)] as [String: Any]
                },
                "trials": spend.trials.map { ["input": $0.input, "flags": $0.rules.coreFlags] as [String: Any] },
            ]
        }
        let question = try JSONSerialization.data(withJSONObject: ["spends": request])
        let answer = try await ScriptKernel.shared.answer(to: question, in: PythonEnvironment.shared())
        let answered = try JSONSerialization.jsonObject(with: answer) as? [String: Any]
        let results = try #require(answered?["results"] as? [[String]], sourceLocation: location)
        try #require(results.count == spends.count && count > 0, sourceLocation: location)
        for (spend, names) in zip(spends, results) {
            try #require(names.count == spend.trials.count, sourceLocation: location)
            for (trial, name) in zip(spend.trials, names) {
                let core = CoreScriptError.coarse(name)
                let found = core == "MINIMALIF" ? trial.found : trial.foundWithoutMinimalIf
                guard found != core else { continue }
                Issue.record(
                    """
                    \(trial.comment), input \(trial.input) under \(trial.rules.coreFlags.joined(separator: ",")): Core says \
                    \(name), we say \(found): \(Hex.encode(spend.transaction.serialized()))
                    """, sourceLocation: location)
            }
        }
    }
}

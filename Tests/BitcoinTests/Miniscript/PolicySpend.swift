import TestSupport
import Testing

@testable import Bitcoin

/// A transaction that spends an expression with some of what it asks for.
protocol PolicySpend: SpendingAssets<Int> {
    var expression: Miniscript<Int> { get }
    var output: TransactionOutput { get }
    var means: MiniscriptMeans { get }
    /// - Parameter witness: the items without the script.
    func transaction(_ witness: [[UInt8]]) -> Transaction
}

extension PolicySpend {
    /// The items without the script; `nil` if there is no way that others could not alter.
    var witness: [[UInt8]]? { expression.witness(with: self) }

    /// Whether the policy is met, as its meaning says, whatever the script.
    var isAllowed: Bool { means.allow(SpendingPolicy(expression)) }

    /// Expects that the expression is spent if the policy allows it, within the predicted size, and only then.
    /// - Returns: whether it is.
    func expectSpent(before jury: inout ScriptJury) -> Bool {
        guard let witness else {
            #expect(!isAllowed, "\(expression.written)")
            return false
        }
        let size = witness.reduce(0) { $0 + $1.count + 1 }
        #expect(size <= expression.largestSatisfaction ?? 0, "\(expression.written)")
        #expect(witness.count <= expression.resources.satisfaction?.items ?? 0, "\(expression.written)")
        expectValid(witness, before: &jury)
        return true
    }

    /// Expects that a witness is allowed, and valid.
    func expectValid(_ witness: [[UInt8]], before jury: inout ScriptJury) {
        #expect(isAllowed, "\(expression.written)")
        let failure = jury.failure(
            transaction(witness), spending: [output], rules: .standard, expression.written)
        #expect(failure == nil, "\(expression.written)")
    }

    // MARK: SpendingAssets

    func preimage(of hash: [UInt8], _ function: PreimageHash) -> [UInt8]? { means.preimage(of: hash, function) }
    func isOpen(olderThan number: UInt32) -> Bool { means.locks.meets(older: number) }
    func isOpen(after number: UInt32) -> Bool { means.locks.meets(after: number) }
}

extension Miniscript<Int> {
    var written: String { text { "K\($0)" } }
}

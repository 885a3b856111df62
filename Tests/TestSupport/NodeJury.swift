import Bitcoin
import ByteCodec
import Foundation
import Testing

/// Has the real node that tests share say whether it would take transactions (`testmempoolaccept`).
///
/// A node judges what stands in a transaction alone before it looks for the coins: forms of outputs, sizes, dust. So of a
/// transaction whose coins a test made up it must miss the coins, and nothing else; `ScriptJury` has Core's own code judge
/// the scripts of such a one.
public enum NodeJury {
    /// Why a node has a transaction already: it was sent.
    private static let known: Set = ["txn-already-in-mempool", "txn-already-known"]

    /// Expects that the node takes each, were it alone.
    public static func expectTaken(
        _ transactions: [Transaction], _ comment: String = "", at location: SourceLocation = #_sourceLocation
    ) async throws {
        func report(_ transaction: Transaction, _ reason: String) {
            Issue.record(
                "\(comment) The node does not take \(Hex.encode(transaction.serialized())): \(reason)",
                sourceLocation: location)
        }
        let node = try await BitcoinNode.shared()
        var withoutCoins: [Transaction] = []
        for (transaction, reason) in zip(transactions, try await refusals(of: transactions, by: node, at: location)) {
            guard let reason, !known.contains(reason) else { continue }
            if reason == "missing-inputs", try await !hasCoins(of: transaction, node) {
                withoutCoins.append(transaction)
            } else {
                report(transaction, reason)
            }
        }
        // One output of dust it lets pass until it knows the fee, two it does not: so it is asked with one more.
        let questions = withoutCoins.map { transaction in
            var question = transaction
            question.outputs.append(TransactionOutput(value: 0, scriptPubKey: node.faucet.key.script))
            return question
        }
        for (transaction, reason) in zip(withoutCoins, try await refusals(of: questions, by: node, at: location))
        where reason != "missing-inputs" {
            report(transaction, reason ?? "taken without its coins")
        }
    }

    /// Why a node would not take each, were it alone, whatever it pays; `nil` where it would.
    public static func refusals(
        of transactions: [Transaction], by node: BitcoinNode, at location: SourceLocation = #_sourceLocation
    ) async throws -> [String?] {
        // What is paid is the tests' affair: no bound for the fee.
        let questions = transactions.map { [[Hex.encode($0.serialized())], 0] as [Any] }
        let answers = try await node.calls("testmempoolaccept", questions)
        try #require(answers.count == transactions.count, sourceLocation: location)
        return answers.map { answer in
            let verdict = (answer as? [[String: Any]])?.first ?? ["reject-reason": "\(answer)"]
            return verdict["allowed"] as? Bool == true ? nil : verdict["reject-reason"] as? String ?? "\(verdict)"
        }
    }

    /// Whether the node knows every transaction whose outputs are spent.
    private static func hasCoins(of transaction: Transaction, _ node: BitcoinNode) async throws -> Bool {
        let ids = Set(transaction.inputs.map(\.outpoint.transactionID.description))
        return try await node.calls("getrawtransaction", ids.map { [$0] }).allSatisfy { $0 is String }
    }
}

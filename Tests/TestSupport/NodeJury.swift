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
        let node = try await BitcoinNode.shared()
        // What is paid is the tests' affair: no bound for the fee.
        let questions = transactions.map { [[Hex.encode($0.serialized())], 0] as [Any] }
        let answers = try await node.calls("testmempoolaccept", questions)
        try #require(answers.count == transactions.count, sourceLocation: location)
        for (transaction, answer) in zip(transactions, answers) {
            let verdict = (answer as? [[String: Any]])?.first ?? ["reject-reason": "\(answer)"]
            guard verdict["allowed"] as? Bool != true else { continue }
            let reason = verdict["reject-reason"] as? String ?? "\(verdict)"
            if known.contains(reason) { continue }
            if reason == "missing-inputs", try await !hasCoins(of: transaction, node) { continue }
            Issue.record(
                "\(comment) The node does not take \(Hex.encode(transaction.serialized())): \(reason)",
                sourceLocation: location)
        }
    }

    /// Whether the node knows every transaction whose outputs are spent.
    private static func hasCoins(of transaction: Transaction, _ node: BitcoinNode) async throws -> Bool {
        let ids = Set(transaction.inputs.map(\.outpoint.transactionID.description))
        return try await node.calls("getrawtransaction", ids.map { [$0] }).allSatisfy { $0 is String }
    }
}

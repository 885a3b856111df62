import Bitcoin
import ByteCodec
import Foundation
import Synchronization
import Testing

/// Has the real node that tests share say whether it would take transactions (`testmempoolaccept`).
///
/// A node judges what stands in a transaction alone before it looks for the coins: forms of outputs, sizes, dust. So of a
/// transaction whose coins a test made up it must miss the coins, and nothing else; `ScriptJury` has Core's own code judge
/// the scripts of such a one. At a lock time that is ahead of its chain it stops even earlier: then it is asked again,
/// about the transaction without one.
public enum NodeJury {
    /// Why a node has a transaction already: it was sent.
    private static let known: Set = ["txn-already-in-mempool", "txn-already-known"]

    /// The hashes, with witnesses, of those that lacked nothing but their coins, which no node will ever have: they need
    /// not be asked about again.
    private static let passed = Mutex<Set<[UInt8]>>([])

    /// Expects that the node takes each, were it alone.
    public static func expectTaken(
        _ transactions: [Transaction], _ comment: String = "", at location: SourceLocation = #_sourceLocation
    ) async throws {
        func report(_ transaction: Transaction, _ reason: String) {
            Issue.record(
                "\(comment) The node does not take \(Hex.encode(transaction.serialized())): \(reason)",
                sourceLocation: location)
        }
        let done = passed.withLock { $0 }
        let asked = transactions.filter { !done.contains(witnessID($0)) }
        if asked.isEmpty { return }
        let node = try await BitcoinNode.shared()
        var unsettled: [(transaction: Transaction, hasCoins: Bool)] = []
        for (transaction, reason) in zip(asked, try await refusals(of: asked, by: node, at: location)) {
            guard let reason, !known.contains(reason) else { continue }
            let isLocked = reason == "non-final"
            guard isLocked || reason == "missing-inputs" else {
                report(transaction, reason)
                continue
            }
            let hasCoins = try await has(transaction.inputs.map(\.outpoint.transactionID), node)
            if isLocked || !hasCoins {
                unsettled.append((transaction, hasCoins))
            } else if try await !has([transaction.id], node) {
                report(transaction, reason)
            }
        }
        // One output of dust it lets pass until it knows the fee, two it does not: so it is asked with one more.
        let questions = unsettled.map { entry in
            var question = entry.transaction
            question.lockTime = 0
            if !entry.hasCoins {
                question.outputs.append(TransactionOutput(value: 0, scriptPubKey: node.faucet.key.script))
            }
            return question
        }
        for (entry, reason) in zip(unsettled, try await refusals(of: questions, by: node, at: location)) {
            guard entry.hasCoins else {
                if reason == "missing-inputs" {
                    _ = passed.withLock { $0.insert(witnessID(entry.transaction)) }
                } else {
                    report(entry.transaction, reason ?? "taken without its coins")
                }
                continue
            }
            // That the signatures are for another lock time is the last thing that it finds.
            if let reason, !reason.contains("script-verify-flag-failed") { report(entry.transaction, reason) }
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

    /// The hash of a transaction with its witnesses: with others it is judged anew.
    private static func witnessID(_ transaction: Transaction) -> [UInt8] {
        SHA256.doubleHash(transaction.serialized())
    }

    /// Whether the node has all of these transactions, waiting or in a block.
    private static func has(_ ids: [TransactionID], _ node: BitcoinNode) async throws -> Bool {
        let names = Set(ids.map(\.description))
        return try await node.calls("getrawtransaction", names.map { [$0] }).allSatisfy { $0 is String }
    }
}

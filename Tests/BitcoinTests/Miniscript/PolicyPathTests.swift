import TestSupport
import Testing

@testable import Bitcoin

/// Every spending path of random policies, with coins on a real node: it is spent with what it takes and no more, as soon as
/// its locks are open, and nobody can alter how. Bitcoin Core's consensus code judges the same.
@Suite(.fewAtATime) struct PolicyPathTests {
    /// A coin's path, spent.
    private struct Spent {
        let transaction: Transaction
        let comment: String

        /// Why no node takes it yet, in the block after the coin's; `nil`: it does.
        var earlyRefusal: String? {
            if transaction.lockTime == 240 { return "non-final" }
            let sequence = transaction.inputs[0].sequence
            return sequence & TimeLock.disableFlag == 0 && sequence != 1 ? "non-BIP68-final" : nil
        }
    }

    private let keys = RandomMiniscript.keys

    @Test func everyPathIsSpentOnceItsLocksAreOpen() async throws {
        var random = SeededGenerator()
        var trees = RandomPolicyTree(SeededGenerator())
        let policies = (0..<200).map { _ in trees.next() }
        let node = try await BitcoinNode.start()
        let fundings = try await node.fundings(
            of: policies.map { .p2wsh($0.expression.script { .key(keys[$0].publicKey.bytes) }) }, 100_000)

        var jury = ScriptJury()
        var spent: [Spent] = []
        var altered: [Spent] = []
        for ((expression, paths), funding) in zip(policies, fundings) {
            for path in paths {
                let spend = MiniscriptSpend(
                    expression, keys: keys, means: MiniscriptMeans(of: path, using: &random),
                    coin: Outpoint(transactionID: funding.id, index: 1))
                guard let witness = spend.witness else {
                    Issue.record("\(expression.written) is not spent by \(path)")
                    continue
                }
                spend.expectValid(witness, before: &jury)
                expectNoLarger(spend, with: spend.means.signed(by: keys.indices), than: witness)
                spent.append(
                    Spent(transaction: spend.transaction(witness), comment: "\(expression.written) by \(path)"))
                for other in Self.altered(witness, using: &random) {
                    let transaction = spend.transaction(other)
                    let failure = jury.failure(
                        transaction, spending: [spend.output], rules: .standard, expression.written)
                    #expect(failure != nil, "\(expression.written) by \(path): \(other)")
                    altered.append(Spent(transaction: transaction, comment: "\(expression.written), altered: \(other)"))
                }
            }
        }
        try await jury.agree()
        print("\(policies.count) policies with \(spent.count) paths")

        let height = try await node.call("getblockcount", as: Int.self)
        #expect(height < 240)
        let early = try await NodeJury.refusals(of: spent.map(\.transaction), by: node)
        for (spent, reason) in zip(spent, early) { #expect(reason == spent.earlyRefusal, "\(spent.comment)") }
        try await age(node)
        let reasons = try await NodeJury.refusals(of: spent.map(\.transaction), by: node)
        for (spent, reason) in zip(spent, reasons) { #expect(reason == nil, "\(spent.comment)") }
        let alteredReasons = try await NodeJury.refusals(of: altered.map(\.transaction), by: node)
        for (altered, reason) in zip(altered, alteredReasons) { #expect(reason != nil, "\(altered.comment)") }
        try await node.stop()
    }

    /// Three other witnesses that somebody without keys can make of one.
    private static func altered(_ witness: [[UInt8]], using random: inout SeededGenerator) -> [[[UInt8]]] {
        let place = Int.random(in: witness.indices, using: &random)
        var (toggled, flipped) = (witness, witness)
        toggled[place] = witness[place].isEmpty ? [1] : []
        if let last = witness.lastIndex(where: { !$0.isEmpty }) {
            let byte = Int.random(in: witness[last].indices, using: &random)
            flipped[last][byte] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        let moved = Bool.random(using: &random) ? Array(witness.dropFirst()) : [[]] + witness
        return [toggled, flipped, moved].filter { $0 != witness }
    }

    /// Expects that the same input is spent by no larger witness when more keys sign.
    private func expectNoLarger(_ spend: MiniscriptSpend, with means: MiniscriptMeans, than witness: [[UInt8]]) {
        func size(_ witness: [[UInt8]]) -> Int { witness.reduce(0) { $0 + $1.count + 1 } }
        let other = MiniscriptSpend(spend.expression, keys: keys, means: means, coin: spend.coin)
        #expect(other.witness.map(size) ?? .max <= size(witness), "\(spend.expression.written)")
    }

    /// Makes coins older than any of `RandomMiniscript.relativeLocks` asks for.
    private func age(_ node: BitcoinNode) async throws {
        let tip = try await node.call("getblockheader", try await node.bestBlockHash(), as: [String: Any].self)
        let time = try #require(tip["time"] as? Int)
        try await node.call("setmocktime", time + 300 * 512 + 7_200)
        try await node.mine(144)
    }
}

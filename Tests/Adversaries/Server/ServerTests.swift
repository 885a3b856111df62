import Bitcoin
import ChainData
import FlowSupport
import TapManager
import TestSupport
import Testing

/// Chain servers of each kind that lie in every way there is: a wallet is never said to have more than is proven or the
/// server's word, and never less than what nobody's signature takes away. One server at a time: with all at once the
/// tests had a thousand files open, which ends a process that uses libnfc.
///
/// Spec: threats, "The chain server".
@Suite(.serialized) struct ServerTests {
    private static let rounds = MatrixShare.rounds(20)

    /// What synchronizing comes to.
    private func sync(
        _ story: ServerStory, _ backend: ServedChain.Backend, known: WalletChain? = nil
    ) async throws -> Result<WalletChain, WalletError> {
        let served = try ServedChain(story.bench.source, backend)
        defer { withExtendedLifetime(served) {} }
        let way = try served.source()
        let sync = WalletSync(story.bench.wallet, source: way)
        let result: Result<WalletChain, WalletError>
        do throws(WalletError) { result = .success(try await sync.run(known: known, at: UnixTime(seconds: 1))) } catch {
            result = .failure(error)
        }
        await way.close()
        if case .success(let answer) = result { try await Self.expectSpendsStand(in: answer, of: story.bench) }
        return result
    }

    /// What is believed of the wallet's money going is so for Bitcoin Core's own code, too.
    private static func expectSpendsStand(in answer: WalletChain, of bench: WalletBench) async throws {
        let places = try bench.places()
        var outputs: [Outpoint: TransactionOutput] = [:]
        for entry in answer.transactions {
            for (index, output) in entry.transaction.outputs.enumerated() {
                outputs[Outpoint(transactionID: entry.id, index: UInt32(index))] = output
            }
        }
        let unknown = TransactionOutput(value: 0, scriptPubKey: Script())
        var jury = ScriptJury()
        for transaction in answer.transactions.map(\.transaction) {
            let spent = transaction.inputs.map { outputs[$0.outpoint] ?? unknown }
            for index in spent.indices where places[spent[index].scriptPubKey] != nil {
                let failures = jury.judge(transaction, spending: spent, input: index, under: [[]])
                #expect(failures == [nil], "\(transaction.id)")
            }
        }
        if jury.count > 0 { try await jury.agree() }
    }

    /// An honest server is believed by every backend, in all of it.
    @Test(arguments: ServedChain.Backend.allCases) func theTruthIsBelieved(_ backend: ServedChain.Backend) async throws
    {
        var generator = SeededGenerator()
        for _ in 0..<Self.rounds {
            let story = try ServerStory(using: &generator)
            let answer = try await sync(story, backend).get()
            #expect(Set(answer.coins.map(\.outpoint)) == Set(story.coins))
            #expect(try WalletOracle(story).faults(of: answer).isEmpty)
            // What is proven once stays so.
            let again = try await sync(story, backend, known: answer).get()
            #expect(again.transactions == answer.transactions && again.coins == answer.coins)
            #expect(again.scripts == answer.scripts && again.areSpendsProven)
        }
    }

    @Test(arguments: ServedChain.Backend.allCases, ServerLie.allCases)
    func eachLieIsSeenOrHarmless(_ backend: ServedChain.Backend, _ lie: ServerLie) async throws {
        var generator = SeededGenerator(for: "\(lie)")
        var refused = 0
        for _ in 0..<6 {
            var story = try ServerStory(using: &generator)
            // The server was honest once, or never.
            let known = Bool.random(using: &generator) ? try await sync(story, backend).get() : nil
            try story.tell(lie, using: &generator)
            refused += try await expectNoHarm(story, backend, known)
        }
        // Core's own histories are made here, out of its transactions.
        let isProvable: Set<ServerLie> = [
            .inventedSpend, .stolenSignature, .twoInBlocks, .moreMoney, .otherTransaction,
        ]
        if isProvable.contains(lie) { #expect(refused > 0) }
    }

    /// Several lies, one upon the other, and a later synchronization with what the earlier one believed.
    @Test(arguments: ServedChain.Backend.allCases) func liesUponLiesDoNoHarm(_ backend: ServedChain.Backend)
        async throws
    {
        var generator = SeededGenerator(for: "lies upon lies")
        for _ in 0..<Self.rounds {
            var story = try ServerStory(using: &generator)
            var known: WalletChain?
            for _ in 0..<3 {
                if let lie = ServerLie.allCases.randomElement(using: &generator) {
                    try story.tell(lie, using: &generator)
                }
                _ = try await expectNoHarm(story, backend, known)
                if case .success(let answer) = try await sync(story, backend, known: known) { known = answer }
            }
        }
    }

    /// - Returns: 1 for a refusal, which is one of the server's.
    private func expectNoHarm(
        _ story: ServerStory, _ backend: ServedChain.Backend, _ known: WalletChain?
    ) async throws -> Int {
        switch try await sync(story, backend, known: known) {
        case .success(let answer):
            #expect(try WalletOracle(story, known: known).faults(of: answer).isEmpty, "\(story.told)")
            return 0
        case .failure(.chain(let error)):
            #expect([.chainLied, .chainMalformed].contains(error.code), "\(story.told): \(error)")
            return 1
        case .failure(let error):
            Issue.record("\(story.told): \(error)")
            return 1
        }
    }
}

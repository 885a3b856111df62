import Bitcoin
import Synchronization
import TestSupport
import Testing

@testable import ChainData

/// Servers whose answers are well formed and untrue. What is believed of coins is in one place for all backends; an Electrum
/// server stands for them.
@Suite(.serialized) struct LieTests {
    private let sample = Sample()

    private func coins(claim: String, transaction: String) async throws -> [[ChainCoin]] {
        let server = try ElectrumStandIn { call in
            call.method == "blockchain.transaction.get" ? .result("\"\(transaction)\"") : .result("[\(claim)]")
        }
        return try await ChainServer(parsing: "electrum:127.0.0.1:\(server.port):t")
            .open(network: .regtest, settings: .forTests(retries: 0)).coins(of: [sample.script])
    }

    private func claim(_ id: TransactionID, position: Int = 0, value: Int = 5_000) -> String {
        #"{"tx_hash":"\#(id)","tx_pos":\#(position),"value":\#(value),"height":7}"#
    }

    @Test func believesTheTruth() async throws {
        let coins = try await coins(claim: claim(sample.id), transaction: sample.hex)
        #expect(coins.joined().map(\.outpoint) == [Outpoint(transactionID: sample.id, index: 0)])
        #expect(coins.joined().map(\.amount.satoshis) == [5_000])
    }

    @Test func noticesAnotherAmount() async throws {
        await #expect(throws: ChainError.liar("\(sample.id):0 has 5000 sat, not 5001")) {
            try await coins(claim: claim(sample.id, value: 5_001), transaction: sample.hex)
        }
    }

    @Test func noticesAnotherTransaction() async throws {
        await #expect(throws: ChainError.liar("it sent a different transaction for \(sample.id)")) {
            try await coins(claim: claim(sample.id), transaction: Sample("another").hex)
        }
    }

    @Test func noticesAnotherScript() async throws {
        let other = Sample("another")
        await #expect(throws: ChainError.liar("\(other.id):0 has a different script")) {
            try await coins(claim: claim(other.id), transaction: other.hex)
        }
    }

    @Test func noticesAnOutputThatDoesNotExist() async throws {
        await #expect(throws: ChainError.liar("there is no output \(sample.id):1")) {
            try await coins(claim: claim(sample.id, position: 1), transaction: sample.hex)
        }
    }

    @Test func noticesACoinThatComesTwice() async throws {
        await #expect(throws: ChainError.liar("\(sample.id):0 is listed twice")) {
            try await coins(claim: claim(sample.id) + "," + claim(sample.id), transaction: sample.hex)
        }
    }

    @Test(arguments: [Int64(-1), 2_100_000_000_000_001, .max, .min])
    func noticesValuesThatAreNoMoney(_ value: Int64) async throws {
        let odd = Sample("odd", satoshis: value)
        let claim = claim(odd.id)
        let server = try ElectrumStandIn { call in
            call.method == "blockchain.transaction.get" ? .result("\"\(odd.hex)\"") : .result("[\(claim)]")
        }
        let source = try ChainServer(parsing: "electrum:127.0.0.1:\(server.port):t").open(network: .regtest)
        let error = await #expect(throws: ChainError.self) { try await source.coins(of: [odd.script]) }
        #expect(error?.code == .chainLied)
    }

    /// Whatever is damaged on the way: the truth is believed, or nothing.
    @Test func believesNothingThatIsDamaged() async throws {
        let generator = Generator()
        let claim = claim(sample.id)
        let server = try ElectrumStandIn { [sample] call in
            let result = call.method == "blockchain.transaction.get" ? "\"\(sample.hex)\"" : "[\(claim)]"
            let line = Array(#"{"id":\#(call.id),"result":\#(result)}"#.utf8)
            return .line(generator.damagedOrNot(line))
        }
        var settings = ChainSettings.forTests(retries: 0)
        settings.answerTimeLimit = .milliseconds(200)
        let source = try ChainServer(parsing: "electrum:127.0.0.1:\(server.port):t")
            .open(network: .regtest, settings: settings)
        var (believed, refused) = (0, 0)
        for _ in 0..<300 {
            do throws(ChainError) {
                let coins = try await source.coins(of: [sample.script]).joined()
                believed += coins.count
                #expect(coins.allSatisfy { $0.amount.satoshis == 5_000 && $0.transaction.id == sample.id })
            } catch { refused += 1 }
        }
        #expect(believed > 20 && refused > 20)
    }

    @Test(arguments: ["", "00", "zz", "01000000000100"])
    func refusesWhatIsNoTransaction(_ hex: String) async throws {
        let error = await #expect(throws: ChainError.self) {
            try await coins(claim: claim(sample.id), transaction: hex)
        }
        #expect(error?.code == .chainMalformed)
    }

    @Test func noticesAnotherTransactionSent() async throws {
        let other = Sample("another")
        let server = try ElectrumStandIn { _ in .result("\"\(other.id)\"") }
        let source = try ChainServer(parsing: "electrum:127.0.0.1:\(server.port):t").open(network: .regtest)
        await #expect(throws: ChainError.liar("the server reports that it sent a transaction other than \(sample.id)"))
        {
            try await source.broadcast(sample.transaction)
        }
    }

    @Test(arguments: [("100000", "chain_lie"), ("0.2", "chain_lie"), ("\"1\"", "chain_malformed")])
    func refusesAFeeRate(_ rate: String, _ code: String) async throws {
        let server = try ElectrumStandIn { _ in .result(rate) }
        let source = try ChainServer(parsing: "electrum:127.0.0.1:\(server.port):t").open(network: .regtest)
        #expect(
            await #expect(throws: ChainError.self) { try await source.feeRate(targetBlocks: 2) }?.code.rawValue == code)
        #expect(await #expect(throws: ChainError.self) { try await source.minimumFeeRate() }?.code.rawValue == code)
    }

    @Test func knowsThatThereIsNoEstimate() async throws {
        let server = try ElectrumStandIn { _ in .result("-1") }
        let source = try ChainServer(parsing: "electrum:127.0.0.1:\(server.port):t").open(network: .regtest)
        #expect(try await source.feeRate(targetBlocks: 2) == nil)
    }

    private final class Generator: Sendable {
        private let state = Mutex(SeededGenerator(for: "believesNothingThatIsDamaged"))

        func damagedOrNot(_ line: [UInt8]) -> [UInt8] {
            state.withLock { $0.next() % 2 == 0 ? $0.damaged(line) : line }
        }
    }
}

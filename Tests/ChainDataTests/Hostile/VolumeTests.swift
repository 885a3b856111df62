import Bitcoin
import Synchronization
import TestSupport
import Testing

@testable import ChainData

/// Servers that send without end, in answers that are each within the bounds.
@Suite(.serialized) struct VolumeTests {
    private static let limit = 1_000_000
    private static let refusal = ChainError.tooLarge(limit: limit, of: .conversation)
    private let ids: [TransactionID] = (0..<200).compactMap { TransactionID(SHA256.hash([UInt8($0)])) }

    private var settings: ChainSettings {
        var settings = ChainSettings.forTests()
        settings.longestConversation = Self.limit
        return settings
    }

    @Test func anElectrumServersAnswersAreBoundedTogether() async throws {
        let long = String(repeating: "00", count: 50_000)
        let server = try ElectrumStandIn { _ in .result("\"\(long)\"") }
        let source = try ChainServer(parsing: "electrum:127.0.0.1:\(server.port):t")
            .open(network: .regtest, settings: settings)
        await #expect(throws: Self.refusal) { try await source.transactions(ids) }
        // It is over, not begun anew.
        await #expect(throws: Self.refusal) { try await source.transactions(ids) }
    }

    /// Who ends the connection and is called again has no more room than before.
    @Test func newConnectionsBringNoNewRoom() async throws {
        let long = Array(repeating: UInt8(ascii: " "), count: 150_000)
        let server = try ElectrumStandIn { _ in .line(long) }
        let source = try ChainServer(parsing: "electrum:127.0.0.1:\(server.port):t")
            .open(network: .regtest, settings: settings)
        var errors: [ChainError] = []
        for _ in 0..<12 {
            do throws(ChainError) { _ = try await source.transactions([ids[0]]) } catch { errors.append(error) }
        }
        #expect(errors.count == 12)
        #expect(errors.prefix(6).allSatisfy { $0.code == .chainMalformed })
        #expect(errors.dropFirst(6) == Array(repeating: Self.refusal, count: 6)[...])
    }

    @Test func anHTTPServersAnswersAreBoundedTogether() async throws {
        let long = "[\(String(repeating: " ", count: 100_000))]"
        let esplora = try EsploraStandIn { _ in HTTPStandIn.reply(long) }
        await #expect(throws: Self.refusal) { try await esplora.source(settings).histories(of: scripts(30)) }

        let text = "\"\(String(repeating: "00", count: 50_000))\""
        let core = try NodeProxy(to: try await BitcoinNode.shared()) { call in
            call.method == "getrawtransaction" ? .result(text) : .truth
        }
        var patient = settings
        patient.longestAnswer = 10_000_000
        let source = try core.source(patient)
        await #expect(throws: Self.refusal) { try await source.transactions(ids) }
    }

    private func scripts(_ count: UInt8) -> [Script] {
        (0..<count).map { Script([0x00, 0x14] + SHA256.hash([$0]).prefix(20)) }
    }

    @Test func oneScriptsHistoryIsBounded() async throws {
        let entries = (0..<10_001).compactMap { number in
            TransactionID(SHA256.hash("\(number)".utf8)).map { #"{"tx_hash":"\#($0)","height":5}"# }
        }
        let answer = "[\(entries.joined(separator: ","))]"
        let server = try ElectrumStandIn { _ in .result(answer) }
        var settings = ChainSettings.forTests(retries: 0)
        settings.longestAnswer = 10_000_000
        let source = try ChainServer(parsing: "electrum:127.0.0.1:\(server.port):t")
            .open(network: .regtest, settings: settings)
        await #expect(throws: ChainError.tooLarge(limit: 10_000, of: .history)) {
            try await source.histories(of: scripts(1))
        }
    }

    /// Each refusal says which bound was passed.
    @Test func theBoundIsNamed() {
        let bounds: [ChainError.Bound] = [
            .answer, .values, .transaction, .history, .notifications, .conversation, .wallet,
        ]
        let messages = bounds.map { ChainError.tooLarge(limit: 77, of: $0).message }
        #expect(Set(messages).count == bounds.count && messages.allSatisfy { $0.contains("77") })
        #expect(bounds.allSatisfy { ChainError.tooLarge(limit: 77, of: $0).code == .chainTooLarge })
    }

    /// Waiting for ever is no task that ends: what was asked before a wait does not count after it.
    @Test func waitingRenewsTheRoom() async throws {
        let answer =
            #"{"chain_stats":{"tx_count":0,"x":"\#(String(repeating: "x", count: 90_000))"},"mempool_stats":{"tx_count":0}}"#
        let esplora = try EsploraStandIn { request in
            HTTPStandIn.reply(request.path.hasPrefix("/blocks") ? "\(Network.regtest.genesisHash)" : answer)
        }
        let source = try esplora.source(settings)
        for _ in 0..<30 { #expect(try await !source.waitForChange(of: scripts(1), timeout: .zero)) }
    }
}

import Bitcoin
import TestSupport
import Testing

@testable import ChainData

/// A source that lives for many tasks knows no more of its server at the next one than a new source would.
@Suite(.serialized) struct TaskTests {
    private static let limit = 1_000_000
    private static let refusal = ChainError.tooLarge(limit: limit, of: .conversation)
    private let script = Sample().script

    private var settings: ChainSettings {
        var settings = ChainSettings.forTests(retries: 0)
        settings.longestConversation = Self.limit
        return settings
    }

    /// Another chain may stand behind the same address by then.
    @Test func theNetworkIsConfirmedAgain() async throws {
        let server = try HTTPStandIn { request in
            guard request.path == "/block-height/0" else { return HTTPStandIn.reply("[]") }
            return HTTPStandIn.reply((request.repetition == 0 ? Network.regtest : .signet).genesisHash.description)
        }
        let source = try ChainServer(parsing: "esplora:http://127.0.0.1:\(server.port)")
            .open(network: .regtest, settings: settings)
        #expect(source.network == .regtest)
        for _ in 0..<2 { #expect(try await source.histories(of: [script]) == [[]]) }
        source.beginTask()
        let error = await #expect(throws: ChainError.self) { try await source.histories(of: [script]) }
        #expect(error?.code == .chainWrongNetwork)
        #expect(server.requests.count { $0.path == "/block-height/0" } == 2)
    }

    /// The node's wallet may have been replaced by then, and would be asked about scripts that it does not watch.
    @Test func aNodesWalletIsLookedAtAgain() async throws {
        let node = try await BitcoinNode.shared()
        try await node.makeWallet("looked-at-again")
        let server = try NodeProxy(to: node)
        let source = try server.source(settings, wallet: "looked-at-again")
        func count(_ method: String) -> Int { server.requests.count { $0.body.contains("\"\(method)\"") } }
        for _ in 0..<2 { #expect(try await source.unspent(of: [script]) == [[]]) }
        #expect(count("getblockhash") == 1 && count("listdescriptors") == 1)
        let imports = count("importdescriptors")
        #expect(imports > 0)
        source.beginTask()
        #expect(try await source.unspent(of: [script]) == [[]])
        #expect(count("getblockhash") == 2 && count("listdescriptors") == 2)
        // It lists what it was given before.
        #expect(count("importdescriptors") == imports)
        await source.close()
    }

    @Test func whatMayComeIsCountedAnew() async throws {
        let long = String(repeating: " ", count: 150_000)
        let esplora = try EsploraStandIn { _ in HTTPStandIn.reply("[\(long)]") }
        let electrum = try ElectrumStandIn { _ in .line(Array(long.utf8)) }
        let sources = [
            try esplora.source(settings),
            try ChainServer(parsing: "electrum:127.0.0.1:\(electrum.port):t")
                .open(network: .regtest, settings: settings),
        ]
        for source in sources {
            for _ in 0..<2 {
                var errors: [ChainError?] = []
                for _ in 0..<12 {
                    do throws(ChainError) {
                        _ = try await source.transactions([Sample().id])
                        errors.append(nil)
                    } catch { errors.append(error) }
                }
                #expect(errors.first != Self.refusal && errors.last == Self.refusal, "\(source.name)")
                source.beginTask()
            }
        }
    }
}

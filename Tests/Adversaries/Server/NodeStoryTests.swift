import Bitcoin
import ChainData
import FlowSupport
import TapManager
import TestSupport
import Testing

/// Wallets' stories that a real node took, told by the servers over it: the real ElectrumX, the node's own watch-only
/// wallet, and Esplora's stand-in. Payments are replaced and blocks reorganized while the wallet looks.
@Suite(.serialized) struct NodeStoryTests {
    /// A node of this suite's own, since its blocks are replaced.
    private struct Place: Sendable {
        let node: BitcoinNode
        let esplora: EsploraServer
        let electrum: ElectrumXServer

        func source(_ backend: ServedChain.Backend, wallet: String) throws -> any ChainSource {
            let server =
                switch backend {
                case .electrum: electrum.server
                case .esplora: esplora.server
                case .core: node.coreServer(wallet: wallet)
                }
            return try ChainServer(parsing: server).open(network: .regtest, settings: ChainSettings())
        }
    }

    private static let time = UnixTime(seconds: 4_000_000_000)
    private static let ready = Task {
        let node = try await BitcoinNode.start()
        return Place(
            node: node, esplora: try await EsploraServer.start(over: node),
            electrum: try await ElectrumXServer.start(over: node))
    }

    @Test(arguments: ServedChain.Backend.allCases) func theTruthIsBelieved(_ backend: ServedChain.Backend) async throws
    {
        let place = try await Self.ready.value
        var generator = SeededGenerator(for: "\(backend)")
        let number = UInt8(ServedChain.Backend.allCases.firstIndex(of: backend) ?? 0)
        for round in 0..<UInt8(4) {
            let name = "\(backend)-\(round)"
            try await place.node.makeWallet(name)
            var story = try await NodeStory(on: place.node, seed: 100 + 10 * number + round, using: &generator)
            // One source for the whole story, and a new one at each look: what one remembers must not lead it astray.
            let lasting = try place.source(backend, wallet: name)
            var known: WalletChain?
            for _ in 0..<5 {
                for _ in 0..<3 { try await story.goOn(using: &generator) }
                try await place.electrum.waitUntilSynced()
                let fresh = try place.source(backend, wallet: name)
                let answer = try await WalletSync(story.bench.wallet, source: fresh).run(known: known, at: Self.time)
                let again = try await WalletSync(story.bench.wallet, source: lasting).run(known: nil, at: Self.time)
                await fresh.close()
                #expect(Set(answer.coins.map(\.outpoint)) == story.coins)
                #expect(answer.areSpendsProven && answer.transactions.count == story.heights.count)
                for entry in answer.transactions { #expect(story.heights[entry.id] == .some(entry.height)) }
                #expect(Set(again.coins) == Set(answer.coins))
                #expect(Set(again.transactions) == Set(answer.transactions))
                known = answer
            }
            await lasting.close()
            try await story.mine()
        }
    }

    /// What a node says of its wallet is believed no further than signatures and hashes go.
    @Test(arguments: ["listsinceblock", "gettransaction", "getrawtransaction"])
    func aNodeThatLiesIsSeenOrHarmless(_ method: String) async throws {
        let place = try await Self.ready.value
        var generator = SeededGenerator(for: method)
        let name = "lies-\(method)"
        try await place.node.makeWallet(name)
        let number = UInt8(["listsinceblock", "gettransaction", "getrawtransaction"].firstIndex(of: method) ?? 0)
        var story = try await NodeStory(on: place.node, seed: 200 + number, using: &generator)
        for _ in 0..<8 { try await story.goOn(using: &generator) }
        let wallet = story.bench.wallet
        func sync(_ alter: @escaping @Sendable (NodeProxy.Call) throws -> NodeProxy.Answer) async throws
            -> [WalletCoin]?
        {
            let proxy = try NodeProxy(to: place.node, alter)
            defer { withExtendedLifetime(proxy) {} }
            let source = try ChainServer(parsing: proxy.coreServer(wallet: name))
                .open(network: .regtest, settings: ChainSettings())
            do throws(WalletError) {
                let answer = try await WalletSync(wallet, source: source).run(known: nil, at: Self.time)
                return answer.coins
            } catch {
                guard case .chain(let fault) = error else { throw error }
                #expect([.chainLied, .chainMalformed, .chainServerError].contains(fault.code), "\(fault)")
                return nil
            }
        }
        #expect(try await sync { _ in .truth }.map { Set($0.map(\.outpoint)) } == story.coins)
        // Each answer with a digit altered, at 40 places. Most hit what nobody looks at.
        var refused = 0
        for _ in 0..<40 {
            let damage = generator.next()
            let believed = try await sync { call in
                guard call.method == method else { return .truth }
                let truth = Array(try call.truth().utf8)
                let digits = truth.indices.filter { (0x30...0x39).contains(truth[$0]) }
                guard let place = digits.isEmpty ? nil : digits[Int(damage % UInt64(digits.count))] else {
                    return .truth
                }
                var altered = truth
                altered[place] = altered[place] == 0x39 ? 0x30 : altered[place] + 1
                return .result(String(decoding: altered, as: UTF8.self))
            }
            // What is withheld is not noticed; money that there never was, is.
            let real = story.bench.source.telling.transactions
            for coin in believed ?? [] {
                let outputs = real[coin.outpoint.transactionID]?.outputs ?? []
                let index = Int(coin.outpoint.index)
                #expect(outputs.indices.contains(index) && outputs[index] == coin.output, "\(coin)")
            }
            if believed == nil { refused += 1 }
        }
        // The list only names transactions, each of which is asked for.
        #expect(refused > 0 || method == "listsinceblock")
    }
}

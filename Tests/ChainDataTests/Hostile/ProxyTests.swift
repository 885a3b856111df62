import Bitcoin
import TestSupport
import Testing

@testable import ChainData

/// Proxies, as for Tor.
@Suite(.serialized) struct ProxyTests {
    private func settings(_ proxy: String) -> ChainSettings {
        var settings = ChainSettings.forTests(retries: 0)
        settings.proxy = proxy
        return settings
    }

    @Test func leavesNamesToTheProxy() async throws {
        let esplora = try EsploraStandIn { _ in HTTPStandIn.reply("{}") }
        let proxy = try SOCKSProxy(leadingTo: esplora.http.port)
        let source = try ChainServer(parsing: "esplora:http://server.onion:81")
            .open(network: .regtest, settings: settings("socks5h://127.0.0.1:\(proxy.port)"))
        #expect(try await source.feeRate(targetBlocks: 2) == nil)
        #expect(Set(proxy.destinations) == [.name("server.onion", 81)])

        let electrum = try ElectrumStandIn { _ in .result("-1") }
        let other = try SOCKSProxy(leadingTo: electrum.port)
        let lines = try ChainServer(parsing: "electrum:electrum.onion:50001")
            .open(network: .regtest, settings: settings("socks5h://127.0.0.1:\(other.port)"))
        #expect(try await lines.feeRate(targetBlocks: 2) == nil)
        #expect(other.destinations == [.name("electrum.onion", 50001)])
    }

    @Test func goesThroughTheProxyOnThisMachineToo() async throws {
        let electrum = try ElectrumStandIn { _ in .result("-1") }
        let proxy = try SOCKSProxy(leadingTo: electrum.port)
        let source = try ChainServer(parsing: "electrum:127.0.0.1:\(electrum.port):t")
            .open(network: .regtest, settings: settings("socks5h://127.0.0.1:\(proxy.port)"))
        #expect(try await source.feeRate(targetBlocks: 2) == nil)
        #expect(proxy.destinations == [.address([127, 0, 0, 1], electrum.port)])
    }

    @Test(arguments: ["esplora:http://server.onion", "electrum:server.onion:50001"])
    func saysThatTheProxyRefuses(_ server: String) async throws {
        let proxy = try SOCKSProxy(leadingTo: 1, status: 2)
        let source = try ChainServer(parsing: server)
            .open(network: .regtest, settings: settings("socks5h://127.0.0.1:\(proxy.port)"))
        #expect(await #expect(throws: ChainError.self) { try await source.tip() }?.code == .chainProxy)
    }

    @Test func tunnelsLinesThroughAWebProxy() async throws {
        let electrum = try ElectrumStandIn { _ in .result("-1") }
        let heads = NotedLines()
        let proxy = try ScriptedServer { connection, _ in
            while let line = try connection.readLine(), line.count > 1 { heads.note(line) }
            try connection.write(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
            let onward = try LoopbackSocket(port: electrum.port)
            while let line = try connection.readLine() {
                try onward.write(Array(line.utf8) + [0x0A])
                try connection.write(Array((try onward.readLine() ?? "").utf8) + [0x0A])
            }
        }
        let source = try ChainServer(parsing: "electrum:electrum.example:50001")
            .open(network: .regtest, settings: settings("http://127.0.0.1:\(proxy.port)"))
        #expect(try await source.feeRate(targetBlocks: 2) == nil)
        #expect(heads.all.first?.hasPrefix("CONNECT electrum.example:50001 HTTP/1.1") == true)
    }

    @Test func saysThatTheWebProxyRefuses() async throws {
        let proxy = try HTTPStandIn { _ in HTTPStandIn.reply("", status: 403) }
        let source = try ChainServer(parsing: "electrum:electrum.example:50001")
            .open(network: .regtest, settings: settings("http://127.0.0.1:\(proxy.port)"))
        await #expect(throws: ChainError.proxy(detail: "it answers 403")) { try await source.tip() }
    }
}

import Bitcoin
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ChainData

/// Users, passwords and cookies.
@Suite(.serialized) struct CoreCredentialTests {
    private static func header(_ credentials: String) -> String {
        "Basic \(Data(credentials.utf8).base64EncodedString())"
    }

    @Test func sendsThePasswordAndNeverShowsIt() async throws {
        let server = try CoreStandIn(authorization: { Self.header("me:hunter2") }) { _, _ in "{}" }
        #expect(try await server.source(credentials: "me:hunter2@").feeRate(targetBlocks: 2) == nil)

        let source = try server.source(credentials: "me:hunter3@")
        let error = await #expect(throws: ChainError.self) { try await source.tip() }
        #expect(error?.code == "chain_unauthorized")
        for text in [
            "\(String(describing: error))", error?.description ?? "", source.name, "\(String(reflecting: error))",
        ] {
            #expect(!text.contains("hunter"))
        }
        let parsed = try ChainServer(parsing: "core:http://me:hunter3@127.0.0.1:1")
        #expect(!"\(parsed)".contains("hunter") && !String(reflecting: parsed).contains("hunter"))
        var dumped = ""
        dump(parsed, to: &dumped)
        #expect(!dumped.contains("hunter"))
    }

    @Test func readsTheCookieAgainWhenTheNodeHasANewOne() async throws {
        let files = try TemporaryFolder()
        try files.write("__cookie__:1", to: "cookie")
        let box = Box("__cookie__:1")
        let server = try CoreStandIn(authorization: { Self.header(box.value) }) { _, _ in "{}" }
        let source = try server.source(credentials: "", suffix: "?cookie=\(files.path("cookie"))")
        #expect(try await source.feeRate(targetBlocks: 2) == nil)
        box.value = "__cookie__:2"
        try files.write("__cookie__:2\n", to: "cookie")
        #expect(try await source.feeRate(targetBlocks: 2) == nil)
    }

    @Test(arguments: [(Network.main, ".bitcoin"), (.test, ".bitcoin/testnet3"), (.regtest, ".bitcoin/regtest")])
    func findsTheCookieBelowTheHomeFolder(_ network: Network, _ folder: String) async throws {
        let files = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: files.path(folder), withIntermediateDirectories: true)
        try files.write("__cookie__:x", to: "\(folder)/.cookie")
        let server = try CoreStandIn(authorization: { Self.header("__cookie__:x") }) { _, _ in "{}" }
        var settings = ChainSettings.forTests(retries: 0)
        settings.homeFolder = files.url.path
        let source = try ChainServer(parsing: "core:http://127.0.0.1:\(server.http.port)")
            .open(network: network, settings: settings)
        let expected: ChainError? =
            network == .regtest ? nil : .wrongNetwork(found: ServerText("regtest"), wanted: network)
        do throws(ChainError) {
            _ = try await source.feeRate(targetBlocks: 2)
            #expect(expected == nil)
        } catch { #expect(error == expected) }
    }

    @Test(arguments: [nil, "", "nocolon", ":"] as [String?])
    func saysWhenThereIsNoCookie(_ content: String?) async throws {
        let files = try TemporaryFolder()
        if let content { try files.write(content, to: "cookie") }
        let server = try CoreStandIn { _, _ in "{}" }
        let source = try server.source(credentials: "", suffix: "?cookie=\(files.path("cookie"))")
        #expect(await #expect(throws: ChainError.self) { try await source.tip() }?.code == "chain_unauthorized")
        let homeless = try server.source(credentials: "")
        #expect(await #expect(throws: ChainError.self) { try await homeless.tip() }?.code == "chain_unauthorized")
        #expect(server.http.requests.isEmpty)
    }

    /// A node elsewhere is not given what is for this machine's, and nobody on the way reads a password.
    @Test(arguments: [
        ("core:http://node.example:8332", "chain_tls"), ("core:http://me:hunter2@node.example:8332", "chain_tls"),
        ("core:http://node.example:8332?cookie=COOKIE", "chain_tls"),
        ("core:http://127.0.0.1.example.org:8332", "chain_tls"), ("core:http://192.0.2.1", "chain_tls"),
        ("core:http://127.0.0.1:8332", "chain_tls"), ("core:https://node.example", "chain_unauthorized"),
        ("core:http://node.example:8332?cleartext=yes", "chain_unauthorized"),
        ("esplora:http://me:hunter2@node.example", "chain_tls"),
    ])
    func credentialsStayOnThisMachine(_ server: String, _ code: String) async throws {
        let files = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: files.path(".bitcoin/regtest"), withIntermediateDirectories: true)
        try files.write("__cookie__:x", to: ".bitcoin/regtest/.cookie")
        let node = try CoreStandIn { _, _ in "{}" }
        // Whatever is asked for, through a proxy it would get there.
        let proxy = try SOCKSProxy(leadingTo: node.http.port)
        var settings = ChainSettings.forTests(retries: 0)
        settings.homeFolder = files.url.path
        settings.proxy = "socks5h://127.0.0.1:\(proxy.port)"
        let text = server.replacingOccurrences(of: "COOKIE", with: files.path(".bitcoin/regtest/.cookie"))
        let source = try ChainServer(parsing: text).open(network: .regtest, settings: settings)
        #expect(await #expect(throws: ChainError.self) { try await source.tip() }?.code == code)
        #expect(proxy.destinations.isEmpty && node.http.requests.isEmpty)
    }

    @Test(arguments: [
        "core:http://me:hunter2@node.example?cleartext=yes", "esplora:http://me:hunter2@node.example?cleartext=yes",
    ])
    func clearTextIsSentWhenItIsSaidSo(_ server: String) async throws {
        let node = try CoreStandIn(authorization: { Self.header("me:hunter2") }) { _, _ in "{}" }
        let proxy = try SOCKSProxy(leadingTo: node.http.port)
        var settings = ChainSettings.forTests(retries: 0)
        settings.proxy = "socks5h://127.0.0.1:\(proxy.port)"
        _ = try? await ChainServer(parsing: server).open(network: .regtest, settings: settings).tip()
        #expect(node.http.requests.first?.headers["authorization"] == Self.header("me:hunter2"))
        for other in ["cleartext=no", "cleartext=yes&x=1", "cleartext="] {
            #expect(throws: ChainServerError.self) { try ChainServer(parsing: "core:http://a:b@c?\(other)") }
        }
    }

    private final class Box: Sendable {
        private let content: Mutex<String>

        init(_ value: String) { content = Mutex(value) }

        var value: String {
            get { content.withLock { $0 } }
            set { content.withLock { $0 = newValue } }
        }
    }
}

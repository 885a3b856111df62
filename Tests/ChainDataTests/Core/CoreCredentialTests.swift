import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

@testable import ChainData

/// Users, passwords and cookies.
@Suite(.serialized) struct CoreCredentialTests {
    private static func header(_ credentials: String) -> String {
        "Basic \(Data(credentials.utf8).base64EncodedString())"
    }

    /// A user of a node's, as `-rpcauth` takes it.
    private static func user(_ name: String, _ password: String) -> String {
        let salt = "00112233445566778899aabbccddeeff"
        let proof = HMACSHA256.authenticate(key: SecretBytes(Array(salt.utf8)), message: Array(password.utf8))
        return "-rpcauth=\(name):\(salt)$\(Hex.encode(proof))"
    }

    @Test func sendsThePasswordAndNeverShowsIt() async throws {
        let node = try await BitcoinNode.start([Self.user("me", "hunter2")])
        let server = try NodeProxy(to: node)
        #expect(try await server.source(credentials: "me:hunter2@").tip().height == (try await node.height()))

        let source = try server.source(credentials: "me:hunter3@")
        let error = await #expect(throws: ChainError.self) { try await source.tip() }
        #expect(error?.code == .chainUnauthorized)
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
        let node = try await BitcoinNode.start()
        let source = try ChainServer(parsing: node.coreServer())
            .open(network: .regtest, settings: .forTests(retries: 0))
        let (height, cookie) = (try await node.height(), try node.cookie())
        #expect(try await source.tip().height == height)
        try await node.stop()
        #expect(await #expect(throws: ChainError.self) { try await source.tip() }?.code == .chainUnreachable)
        let again = try await node.restarted()
        #expect(try again.cookie() != cookie && again.port == node.port)
        #expect(try await source.tip().height == height)
        await source.close()
    }

    @Test(arguments: [(Network.main, ".bitcoin"), (.test, ".bitcoin/testnet3"), (.regtest, ".bitcoin/regtest")])
    func findsTheCookieBelowTheHomeFolder(_ network: Network, _ folder: String) async throws {
        let files = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: files.path(folder), withIntermediateDirectories: true)
        let node = try await BitcoinNode.shared()
        try files.write(try node.cookie(), to: "\(folder)/.cookie")
        var settings = ChainSettings.forTests(retries: 0)
        settings.homeFolder = files.url.path
        let source = try ChainServer(parsing: "core:\(node.url)")
            .open(network: network, settings: settings)
        let expected: ChainError? =
            network == .regtest ? nil : .wrongNetwork(found: ServerText("regtest"), wanted: network)
        do throws(ChainError) {
            _ = try await source.tip()
            #expect(expected == nil)
        } catch { #expect(error == expected) }
    }

    @Test(arguments: [nil, "", "nocolon", ":"] as [String?])
    func saysWhenThereIsNoCookie(_ content: String?) async throws {
        let files = try TemporaryFolder()
        if let content { try files.write(content, to: "cookie") }
        let server = try NodeProxy(to: try await BitcoinNode.shared())
        let source = try server.source(credentials: "", suffix: "?cookie=\(files.path("cookie"))")
        #expect(await #expect(throws: ChainError.self) { try await source.tip() }?.code == .chainUnauthorized)
        let homeless = try server.source(credentials: "")
        #expect(await #expect(throws: ChainError.self) { try await homeless.tip() }?.code == .chainUnauthorized)
        #expect(server.requests.isEmpty)
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
        let node = try NodeProxy(to: try await BitcoinNode.shared())
        // Whatever is asked for, through a proxy it would get there.
        let proxy = try SOCKSProxy(leadingTo: node.port)
        var settings = ChainSettings.forTests(retries: 0)
        settings.homeFolder = files.url.path
        settings.proxy = "socks5h://127.0.0.1:\(proxy.port)"
        let text = server.replacingOccurrences(of: "COOKIE", with: files.path(".bitcoin/regtest/.cookie"))
        let source = try ChainServer(parsing: text).open(network: .regtest, settings: settings)
        #expect(await #expect(throws: ChainError.self) { try await source.tip() }?.code.rawValue == code)
        #expect(proxy.destinations.isEmpty && node.requests.isEmpty)
    }

    @Test(arguments: [
        "core:http://me:hunter2@node.example?cleartext=yes", "esplora:http://me:hunter2@node.example?cleartext=yes",
    ])
    func clearTextIsSentWhenItIsSaidSo(_ server: String) async throws {
        let node = try NodeProxy(to: try await BitcoinNode.shared())
        let proxy = try SOCKSProxy(leadingTo: node.port)
        var settings = ChainSettings.forTests(retries: 0)
        settings.proxy = "socks5h://127.0.0.1:\(proxy.port)"
        _ = try? await ChainServer(parsing: server).open(network: .regtest, settings: settings).tip()
        #expect(node.requests.first?.headers["authorization"] == Self.header("me:hunter2"))
        for other in ["cleartext=no", "cleartext=yes&x=1", "cleartext="] {
            #expect(throws: ChainServerError.self) { try ChainServer(parsing: "core:http://a:b@c?\(other)") }
        }
    }
}

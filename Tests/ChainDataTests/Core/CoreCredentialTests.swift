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

    private final class Box: Sendable {
        private let content: Mutex<String>

        init(_ value: String) { content = Mutex(value) }

        var value: String {
            get { content.withLock { $0 } }
            set { content.withLock { $0 = newValue } }
        }
    }
}

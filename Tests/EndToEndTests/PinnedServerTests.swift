import Bitcoin
import Foundation
import TestSupport
import Testing

/// An Electrum server with a certificate of its own making: remembered at first use, refused when it changes.
@Suite struct PinnedServerTests {
    @Test func aChangedCertificateIsRefused() async throws {
        let chain = try await BitcoinNode.start()
        let electrum = try await ElectrumXServer.start(over: chain)
        let folder = try TemporaryFolder()
        let environment = Workshop.nothing.merging([
            "TAPKIT_DATA_DIR": folder.path("data"), "TAPKIT_NETWORK": "regtest",
            "TAPKIT_CHAIN": "electrum:127.0.0.1:\(electrum.securePort):s",
        ]) { $1 }
        @Sendable func sync() async throws -> Subprocess {
            try await Subprocess.run(
                Subprocess.tapkit, ["wallet", "sync", "w", "--json"], environment: environment, directory: folder.url)
        }
        try await Subprocess.run(
            Subprocess.tapkit, ["wallet", "add", "w", "addr(bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080)"],
            environment: environment
        ).succeeded()
        try await sync().succeeded()
        let file = folder.path("data/servers.json")
        let pins = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: URL(fileURLWithPath: file)))
        #expect(pins == ["127.0.0.1:\(electrum.securePort)": try await electrum.certificate.fingerprint()])
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        try await sync().succeeded()
        // Somebody else answers at the same address.
        let other = String(repeating: "ab", count: 32)
        try JSONEncoder().encode(pins.mapValues { _ in other }).write(to: URL(fileURLWithPath: file))
        let refused = try await sync()
        try refused.expectFailure(76, "chain_certificate_changed")
        #expect(try refused.hint().contains("servers.json"))
        // What is no list of certificates is not taken for an empty one.
        try Data("{}x".utf8).write(to: URL(fileURLWithPath: file))
        try await sync().expectFailure(69, "chain_tls")
        try FileManager.default.removeItem(atPath: file)
        try await sync().succeeded()
        try await electrum.stop()
        try await chain.stop()
    }
}

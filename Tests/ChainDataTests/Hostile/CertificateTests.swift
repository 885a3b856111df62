import Bitcoin
import Foundation
import TestSupport
import Testing

@testable import ChainData

/// Whose certificate is believed, over the real ElectrumX where it must also answer, else over OpenSSL's own server.
@Suite(.serialized) struct CertificateTests {
    /// A server that only shakes hands.
    private final class Handshakes: Sendable {
        let port: UInt16
        private let process: InteractiveProcess

        init(_ certificate: SelfMadeCertificate) async throws {
            port = try LoopbackSocket.freePort()
            process = try InteractiveProcess(
                "openssl",
                [
                    "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate.certificateFile, "-key",
                    certificate.keyFile,
                ])
            try await process.line { $0.contains("ACCEPT") }
        }

        func stop() async throws { try await process.stop(signal: SIGKILL) }
    }

    private func tip(_ server: String, _ change: (inout ChainSettings) -> Void) async throws -> ChainTip {
        var settings = ChainSettings.forTests(retries: 0)
        change(&settings)
        let source = try ChainServer(parsing: server).open(network: .regtest, settings: settings)
        let tip = try await source.tip()
        await source.close()
        return tip
    }

    @Test func refusesACertificateOfNoAuthority() async throws {
        let bench = try await Bench.shared()
        let error = await #expect(throws: ChainError.self) {
            try await tip("electrum:localhost:\(bench.electrumX.securePort):s") { _ in }
        }
        #expect(error?.code == .chainTLS)
        guard case .tls(.untrusted, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func remembersACertificateAtFirstUseAndRefusesAnother() async throws {
        let bench = try await Bench.shared()
        let server = "127.0.0.1:\(bench.electrumX.securePort)"
        let pins = MemoryPins()
        _ = try await tip("electrum:\(server):s") { $0.pins = pins }
        let fingerprint = try #require(
            CertificateFingerprint(parsing: try await bench.electrumX.certificate.fingerprint()))
        #expect(pins.all == [server: .pinned(fingerprint)])
        _ = try await tip("electrum:\(server):s") { $0.pins = pins }
        #expect(pins.all == [server: .pinned(fingerprint)])

        let other = try #require(CertificateFingerprint(SHA256.hash([1])))
        try pins.save(.pinned(other), in: server)
        let error = await #expect(throws: ChainError.self) { try await tip("electrum:\(server):s") { $0.pins = pins } }
        #expect(error == .tls(.pinChanged(server: server, known: other, found: fingerprint), detail: ""))
        #expect(error?.code == .chainCertificateChanged)
        #expect(error?.remedy.contains(server) == true)
        #expect(pins.all == [server: .pinned(other)])
    }

    @Test func needsNoPinWhereAnAuthorityVouches() async throws {
        let bench = try await Bench.shared()
        let pins = MemoryPins()
        _ = try await tip("electrum:localhost:\(bench.electrumX.securePort):s") {
            $0.pins = pins
            $0.authoritiesFile = bench.electrumX.certificate.certificateFile
        }
        #expect(pins.all == ["localhost:\(bench.electrumX.securePort)": .authority])
    }

    /// Somebody answers in the place of a server that an authority vouched for, with a certificate of his own making.
    @Test func neverTakesLessThanAnAuthorityAgain() async throws {
        let bench = try await Bench.shared()
        let pins = MemoryPins()
        let server = "localhost:\(bench.electrumX.securePort)"
        _ = try await tip("electrum:\(server):s") {
            $0.pins = pins
            $0.authoritiesFile = bench.electrumX.certificate.certificateFile
        }
        let error = await #expect(throws: ChainError.self) { try await tip("electrum:\(server):s") { $0.pins = pins } }
        #expect(error == .tls(.trustLost(server: server), detail: ""))
        #expect(error?.code == .chainCertificateChanged)
        #expect(error?.remedy.contains(server) == true)
        #expect(pins.all == [server: .authority])
        // What was known by its own certificate may rise, and stays there.
        let fingerprint = try #require(
            CertificateFingerprint(parsing: try await bench.electrumX.certificate.fingerprint()))
        try pins.save(.pinned(fingerprint), in: server)
        _ = try await tip("electrum:\(server):s") { $0.pins = pins }
        _ = try await tip("electrum:\(server):s") {
            $0.pins = pins
            $0.authoritiesFile = bench.electrumX.certificate.certificateFile
        }
        #expect(pins.all == [server: .authority])
        await #expect(throws: ChainError.self) { try await tip("electrum:\(server):s") { $0.pins = pins } }
    }

    /// The same server without TLS, as somebody on the way would like it.
    @Test(arguments: [
        ("electrum:127.0.0.1:PORT:t", "127.0.0.1:PORT"), ("esplora:http://127.0.0.1:PORT/api", "127.0.0.1:PORT"),
        ("core:http://a:b@LOCALHOST:PORT", "localhost:PORT"),
    ])
    func neverGoesOnWithoutTLS(_ name: String, _ server: String) async throws {
        let listener = try ScriptedServer { connection, _ in _ = try connection.read() }
        func named(_ text: String) -> String { text.replacingOccurrences(of: "PORT", with: "\(listener.port)") }
        for known in [ServerTrust.authority, .pinned(try #require(CertificateFingerprint(SHA256.hash([1]))))] {
            let pins = MemoryPins()
            try pins.save(known, in: named(server))
            let error = await #expect(throws: ChainError.self) { try await tip(named(name)) { $0.pins = pins } }
            #expect(error == .tls(.trustLost(server: named(server)), detail: ""))
            #expect(pins.all == [named(server): known])
        }
        #expect(listener.connectionCount == 0)
    }

    /// HTTP servers are remembered by what their certificates proved; nothing is pinned.
    @Test func remembersThatAnAuthorityVouchedForAnHTTPServer() async throws {
        let certificate = try await SelfMadeCertificate()
        let port = try LoopbackSocket.freePort()
        let process = try InteractiveProcess(
            "openssl",
            [
                "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate.certificateFile, "-key",
                certificate.keyFile, "-www",
            ])
        try await process.line { $0.contains("ACCEPT") }
        let pins = MemoryPins()
        // Its page is no answer, but it came over a connection that is secure.
        _ = try? await tip("esplora:https://localhost:\(port)") {
            $0.pins = pins
            $0.authoritiesFile = certificate.certificateFile
        }
        #expect(pins.all == ["localhost:\(port)": .authority])
        let error = await #expect(throws: ChainError.self) {
            try await tip("esplora:http://localhost:\(port)") { $0.pins = pins }
        }
        #expect(error == .tls(.trustLost(server: "localhost:\(port)"), detail: ""))
        try await process.stop(signal: SIGKILL)
    }

    @Test(arguments: ["electrum:localhost:PORT:s", "esplora:https://localhost:PORT", "core:https://a:b@localhost:PORT"])
    func refusesTheCertificateOfAnotherHost(_ server: String) async throws {
        let certificate = try await SelfMadeCertificate(for: "DNS:example.org")
        let handshakes = try await Handshakes(certificate)
        let pins = MemoryPins()
        let error = await #expect(throws: ChainError.self) {
            try await tip(server.replacingOccurrences(of: "PORT", with: "\(handshakes.port)")) {
                $0.pins = pins
                $0.authoritiesFile = certificate.certificateFile
            }
        }
        guard case .tls(.wrongHost, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(pins.all.isEmpty)
        try await handshakes.stop()
    }

    @Test(arguments: ["esplora:https://localhost:PORT", "core:https://a:b@localhost:PORT"])
    func pinsNothingForHTTP(_ server: String) async throws {
        let handshakes = try await Handshakes(try await SelfMadeCertificate())
        let pins = MemoryPins()
        let error = await #expect(throws: ChainError.self) {
            try await tip(server.replacingOccurrences(of: "PORT", with: "\(handshakes.port)")) { $0.pins = pins }
        }
        guard case .tls(.untrusted, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(pins.all.isEmpty)
        try await handshakes.stop()
    }

    @Test func refusesAServerWithoutTLS() async throws {
        let server = try ScriptedServer { connection, _ in
            _ = try connection.read()
            try connection.write(Array("no TLS here\r\n".utf8))
        }
        let error = await #expect(throws: ChainError.self) {
            try await tip("electrum:127.0.0.1:\(server.port):s") { _ in }
        }
        guard case .tls(.handshake, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func connectsNowhereWhenThePinsCannotBeReadOrKept() async throws {
        struct Broken: CertificatePins {
            let isEmpty: Bool

            func trust(in server: String) throws -> ServerTrust? {
                guard isEmpty else { throw CocoaError(.fileReadCorruptFile) }
                return nil
            }

            func save(_ trust: ServerTrust, in server: String) throws {
                throw CocoaError(.fileWriteNoPermission)
            }
        }
        let bench = try await Bench.shared()
        for isEmpty in [true, false] {
            let error = await #expect(throws: ChainError.self) {
                try await tip("electrum:127.0.0.1:\(bench.electrumX.securePort):s") {
                    $0.pins = Broken(isEmpty: isEmpty)
                }
            }
            guard case .tls(.settings, _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func saysThatTheAuthoritiesFileIsMissing() async throws {
        let bench = try await Bench.shared()
        let error = await #expect(throws: ChainError.self) {
            try await tip("electrum:127.0.0.1:\(bench.electrumX.securePort):s") {
                $0.authoritiesFile = "/nonexistent.pem"
            }
        }
        guard case .tls(.settings, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}

import Bitcoin
import ByteCodec
import Foundation
import Synchronization
import TestSupport

@testable import ChainData

/// One real node, shared by all tests that serve its chain, with every kind of server over it.
struct Bench: Sendable {
    let chain: BitcoinNode
    let esplora: EsploraServer
    let electrumX: ElectrumXServer

    private static let ready = Task {
        let chain = try await BitcoinNode.start()
        try await chain.learn(try rate(12_345))
        try await chain.makeWallet("watch")
        return Bench(
            chain: chain, esplora: try await EsploraServer.start(over: chain),
            electrumX: try await ElectrumXServer.start(over: chain))
    }

    static func shared() async throws -> Bench { try await ready.value }

    static func rate(_ satoshis: Int64) throws -> FeeRate {
        guard let rate = FeeRate(satoshisPerKiloVirtualByte: satoshis) else { throw CocoaError(.coderInvalidValue) }
        return rate
    }

    /// A backend of the family that all tests of the suite are run with.
    enum Backend: String, CaseIterable, Sendable {
        case electrumTCP, electrumTLS, esplora, core, coreWallet
    }

    func server(_ backend: Backend) -> String {
        switch backend {
        case .electrumTCP: electrumX.server
        case .electrumTLS: electrumX.secureServer
        case .esplora: esplora.server
        case .core: chain.coreServer()
        case .coreWallet: chain.coreServer(wallet: "watch")
        }
    }

    /// A source over the chain.
    func source(_ backend: Backend, network: Network = .regtest) throws -> any ChainSource {
        var settings = ChainSettings()
        settings.pollInterval = .milliseconds(50)
        settings.authoritiesFile = electrumX.certificate.certificateFile
        return try ChainServer(parsing: server(backend)).open(network: network, settings: settings)
    }

    /// Waits until all servers know what was done to the chain.
    func settle() async throws { try await electrumX.waitUntilSynced() }

    private static let scripts = Atomic<UInt64>(0)

    /// A script that no other test uses.
    static func newScript() -> Script {
        let number = scripts.wrappingAdd(1, ordering: .relaxed).newValue
        let hash = SHA256.hash("script \(number)".utf8)
        return Script([0x00, 0x14] + hash.prefix(20))
    }

    /// A key that no other test uses.
    static func newKey() throws -> SingleKey {
        try SingleKey("key \(scripts.wrappingAdd(1, ordering: .relaxed).newValue)")
    }

    static func amount(_ satoshis: Int64) throws -> Amount {
        guard let amount = Amount(satoshis: satoshis) else { throw CocoaError(.coderInvalidValue) }
        return amount
    }
}

import Bitcoin
import Foundation
import TestSupport
import Testing

/// A card's folder, a real node, and the Esplora over it that its commands ask.
struct ChainPlace: Sendable {
    /// Somebody else's address on it.
    static let stranger = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"

    let workshop: Workshop
    let chain: BitcoinNode
    let esplora: EsploraServer

    init(_ workshop: Workshop) async throws {
        self.workshop = workshop
        chain = try await BitcoinNode.start()
        esplora = try await EsploraServer.start(over: chain)
    }

    /// Runs `tapkit`, which answers in JSON, and finds nobody who could be asked.
    func callAsFunction(_ arguments: String..., changes: [String: String?] = [:]) async throws -> Subprocess {
        try await self(arguments, changes: changes)
    }

    /// Runs `tapkit`, which answers in JSON, and finds nobody who could be asked.
    func callAsFunction(_ arguments: [String], changes: [String: String?] = [:]) async throws -> Subprocess {
        try await workshop.tapkit(
            arguments + ["--json"],
            environment: ["TAPKIT_NETWORK": "regtest", "TAPKIT_CHAIN": esplora.server].merging(changes) { $1 })
    }

    /// Pays an address, in a block of its own.
    func fund(_ address: String, _ satoshis: Int) async throws {
        let script = try Address(parsing: address, network: .regtest).scriptPubKey
        _ = try await chain.fund(script, try #require(Amount(satoshis: satoshis)))
        try await chain.mine()
    }

    /// Writes into the store what no verb would: `statement`, with the values for its question marks.
    func edit(_ statement: String, _ values: String...) async throws {
        try await Subprocess.run(
            "/usr/bin/python3",
            [
                "-c",
                "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute(sys.argv[2], sys.argv[3:]); d.commit()",
                workshop.storeFolder.path("data/store.sqlite"), statement,
            ] + values
        ).succeeded()
    }
}

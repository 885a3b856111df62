import Bitcoin
import Foundation
import TestSupport
import Testing

/// A server that would fill memory and disk: under a quota of both `tapkit` refuses what is too much, and says which bound it
/// was.
@Suite(.serialized) struct ServerQuotaTests {
    /// Virtual memory in kilobytes, and the longest file in blocks of 512 bytes.
    private static let (memory, file) = (1_200_000, 20_000)
    private static let address = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"

    /// Transactions of a megabyte each, as many as are asked for, by their ids.
    private func transactions(_ count: UInt32, paying script: Script?) throws -> [String: [UInt8]] {
        let coin = Outpoint(transactionID: try #require(TransactionID([UInt8](repeating: 1, count: 32))), index: 0)
        let ballast = Script([0x6A] + [UInt8](repeating: 0x61, count: 1_000_000))
        var transaction = Transaction(
            inputs: [TransactionInput(outpoint: coin)], outputs: [TransactionOutput(value: 0, scriptPubKey: ballast)])
        if let script { transaction.outputs.append(TransactionOutput(value: 1_000, scriptPubKey: script)) }
        let template = transaction.serialized()
        var transactions: [String: [UInt8]] = [:]
        for number in 0..<count {
            // The outpoint's number stands behind version, count and id.
            var bytes = template
            for byte in 0..<4 { bytes[37 + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
            transactions[try #require(TransactionID(SHA256.hash(SHA256.hash(bytes)))).description] = bytes
        }
        return transactions
    }

    /// Named in the wallet's history: transactions that pay it, up to what is kept; and those that do not touch it, up to
    /// what may come.
    @Test(arguments: [(true, "64000000 bytes"), (false, "128000000 bytes")])
    func volumeIsRefused(isRelevant: Bool, bound: String) async throws {
        let script = try Address(parsing: Self.address, network: .regtest).scriptPubKey
        let transactions = try transactions(150, paying: isRelevant ? script : nil)
        let genesis = Network.regtest.genesisHash.description
        let ids = transactions.keys.sorted()
        let server = try HTTPStandIn { request in
            let parts = request.path.split(separator: "/").map(String.init)
            switch parts.first {
            case "block-height", "blocks": return HTTPStandIn.reply(genesis)
            case "block": return HTTPStandIn.reply(#"{"timestamp":1,"height":200}"#)
            case "tx": return HTTPStandIn.reply(transactions[parts[1]] ?? [])
            default:
                // Unconfirmed ones come on one page.
                let entries = ids.map { #"{"txid":"\#($0)","status":{"confirmed":false}}"# }
                return HTTPStandIn.reply("[\(entries.joined(separator: ","))]")
            }
        }
        let folder = try TemporaryFolder()
        let environment = Workshop.nothing.merging([
            "TAPKIT_DATA_DIR": folder.path("data"), "TAPKIT_NETWORK": "regtest",
            "TAPKIT_CHAIN": "esplora:http://127.0.0.1:\(server.port)",
        ]) { $1 }
        try await Subprocess.run(
            Subprocess.tapkit, ["wallet", "add", "w", "addr(\(Self.address))"], environment: environment
        ).succeeded()
        let limits = "ulimit -v \(Self.memory); ulimit -f \(Self.file); exec \"$0\" wallet sync w --json"
        let refused = try await Subprocess.run(
            "/bin/sh", ["-c", limits, Subprocess.tapkit], environment: environment, directory: folder.url)
        try refused.expectFailure(69, "chain_too_large")
        #expect(refused.text.contains(bound), "\(refused.text)")
        #expect(try Self.size(of: folder.path("data")) < 2_000_000)
    }

    private static func size(of folder: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder).reduce(0) { sum, name in
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            return sum + (attributes[.size] as? Int ?? 0)
        }
    }
}

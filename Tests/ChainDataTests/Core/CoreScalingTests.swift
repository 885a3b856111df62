import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import ChainData

/// What a node of Bitcoin Core answers is taken in time that grows as it does. How JSON is read, `JSONScalingTests`
/// measures.
@Suite(.serialized) struct CoreScalingTests {
    /// Transactions that pay the script which is asked for: as many as are needed.
    private static let payments = (0..<1_024).map { payment("\($0)", [AnswerScaling.script]) }

    private static func payment(_ seed: String, _ scripts: [Script]) -> Transaction {
        let id = TransactionID(SHA256.hash(seed.utf8)) ?? Sample().id
        return Transaction(
            inputs: [TransactionInput(outpoint: Outpoint(transactionID: id, index: 0))],
            outputs: scripts.map { TransactionOutput(value: 5_000, scriptPubKey: $0) })
    }

    /// A coin as Core has it in its lists.
    private static func coins(_ size: Int, _ height: String) -> String {
        AnswerScaling.list(
            AnswerScaling.ids.prefix(size).map {
                #"{"txid":"\#($0)","vout":1,"scriptPubKey":"\#(AnswerScaling.script)","amount":0.00005000,\#(height)}"#
            })
    }

    // MARK: Without a wallet

    /// Coins in blocks, which the node looks through.
    @Test func scannedCoins() async throws {
        try await AnswerScaling.expectLinear("coins of a scan", .coins) { size in
            let scan = CoreStandIn.scan(Self.coins(size, #""height":100"#))
            let server = try CoreStandIn { method, _ in method == "scantxoutset" ? scan : nil }
            return { try server.source($0, hasWallet: false) }
        }
    }

    /// Coins of transactions that wait for a block.
    @Test func waitingCoins() async throws {
        let answers = Dictionary(
            Self.payments.map { ($0.id.description, "\"\(Hex.encode($0.serialized()))\"") }, uniquingKeysWith: { $1 })
        try await AnswerScaling.expectLinear("waiting transactions", .coins, from: 64, upTo: 1_024) { size in
            let waiting = AnswerScaling.list(Self.payments.prefix(size).map { "\"\($0.id)\"" })
            let server = try CoreStandIn { method, parameters in
                switch method {
                case "scantxoutset": CoreStandIn.scan("[]")
                case "getrawmempool": waiting
                case "getrawtransaction": answers[parameters.first?.string ?? ""]
                default: nil
                }
            }
            return { try server.source($0, hasWallet: false) }
        }
    }

    /// Coins of a block that arrived during the scan.
    @Test func newCoins() async throws {
        try await AnswerScaling.expectLinear("payments of a new block", .coins, from: 64, upTo: 1_024) { size in
            let block = try StandInBlock(Array(Self.payments.prefix(size)))
            let server = try CoreStandIn { method, parameters in
                method == "scantxoutset" ? CoreStandIn.scan("[]") : block.answer(method, parameters)
            }
            return { try server.source($0, hasWallet: false) }
        }
    }

    // MARK: With a wallet

    @Test func walletCoins() async throws {
        let coin = #"{"confirmations":1,"value":0.00005000,"scriptPubKey":{"hex":"\#(AnswerScaling.script)"}}"#
        try await AnswerScaling.expectLinear("coins of a wallet", .coins, upTo: 4_096) { size in
            let entries = AnswerScaling.list(
                AnswerScaling.ids.prefix(size).map {
                    #"{"txid":"\#($0)","confirmations":1,"blockheight":100,"vout":1,"category":"receive"}"#
                })
            let server = try CoreStandIn { method, _ in
                switch method {
                case "listsinceblock": #"{"transactions":\#(entries),"removed":[]}"#
                case "gettxout": coin
                default: nil
                }
            }
            return { try server.source($0, hasWallet: true) }
        }
    }

    /// A node with a wallet that lists entries, each of a transaction of these.
    private static func wallet(
        _ entries: [TransactionID], of transactions: [Transaction]
    ) throws -> @Sendable (ChainSettings) throws -> any ChainSource {
        let answers = Dictionary(
            transactions.map { ($0.id.description, #"{"hex":"\#(Hex.encode($0.serialized()))"}"#) },
            uniquingKeysWith: { $1 })
        let listed = AnswerScaling.list(
            entries.map { #"{"txid":"\#($0)","confirmations":1,"blockheight":100,"vout":0,"category":"receive"}"# })
        let server = try CoreStandIn { method, parameters in
            method == "listsinceblock"
                ? #"{"transactions":\#(listed),"removed":[]}"# : answers[parameters.first?.string ?? ""]
        }
        return { try server.source($0, hasWallet: true) }
    }

    @Test func walletHistories() async throws {
        try await AnswerScaling.expectLinear("transactions of a wallet", .history, from: 64, upTo: 1_024) { size in
            let payments = Array(Self.payments.prefix(size))
            return try Self.wallet(payments.map(\.id), of: payments)
        }
        // A transaction is listed once for each of its outputs.
        try await AnswerScaling.expectLinear("entries of one transaction", .history, count: 1) { size in
            let payment = Self.payments[0]
            return try Self.wallet(.init(repeating: payment.id, count: size), of: [payment])
        }
        try await AnswerScaling.expectLinear("outputs of one transaction", .history, count: 1) { size in
            let scripts = AnswerScaling.ids.prefix(size).map { Script(Array($0.utf8)) }
            let payment = Self.payment("many", scripts + [AnswerScaling.script])
            return try Self.wallet([payment.id], of: [payment])
        }
    }
}

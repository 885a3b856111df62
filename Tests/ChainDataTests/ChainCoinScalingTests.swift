import Bitcoin
import TestSupport
import Testing

@testable import ChainData

/// Coins are proven in time that grows with their number and the size of their transactions, also where one transaction has
/// them all: a server, or whoever pays, can make many.
@Suite struct ChainCoinScalingTests {
    @Test func coinsOfOneTransaction() async throws {
        try await AnswerScaling.expectLinear("coins of one transaction", .provenCoins) { size in
            let output = TransactionOutput(value: 5_000, scriptPubKey: AnswerScaling.script)
            let transaction = Transaction(
                inputs: Sample().transaction.inputs, outputs: .init(repeating: output, count: size))
            let (bytes, id) = (transaction.serialized(), transaction.id)
            let coins = AnswerScaling.list(
                (0..<size).map {
                    #"{"txid":"\#(id)","vout":\#($0),"status":{"confirmed":true,"block_height":100},"value":5000}"#
                })
            let server = try EsploraStandIn { request in
                request.path.hasSuffix("/raw") ? HTTPStandIn.reply(bytes) : HTTPStandIn.reply(coins)
            }
            return { try server.source($0) }
        }
    }

    /// Each of another transaction.
    @Test func coinsOfManyTransactions() async throws {
        try await AnswerScaling.expectLinear("coins of many transactions", .provenCoins, from: 32, upTo: 512) { size in
            let inputs = AnswerScaling.ids.prefix(size).compactMap { TransactionID(parsing: $0) }.map {
                TransactionInput(outpoint: Outpoint(transactionID: $0, index: 0))
            }
            let transactions = inputs.map {
                Transaction(
                    inputs: [$0], outputs: [TransactionOutput(value: 5_000, scriptPubKey: AnswerScaling.script)])
            }
            let coins = AnswerScaling.list(
                transactions.map {
                    #"{"txid":"\#($0.id)","vout":0,"status":{"confirmed":true,"block_height":100},"value":5000}"#
                })
            let answers = Dictionary(
                transactions.map { ("/tx/\($0.id)/raw", $0.serialized()) }, uniquingKeysWith: { $1 })
            let server = try EsploraStandIn { request in
                answers[request.path].map { HTTPStandIn.reply($0) } ?? HTTPStandIn.reply(coins)
            }
            return { try server.source($0) }
        }
    }
}

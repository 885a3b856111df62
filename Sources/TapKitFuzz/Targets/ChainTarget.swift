import Bitcoin
import Dispatch

@testable import ChainData

/// How the three backends handle servers' answers. The first byte chooses the backend, the second the request; then come the
/// answers, each preceded by its length in two bytes.
enum ChainTarget: FuzzTarget {
    static let name = "chain"

    private static let server = AnsweringServer()

    static func run(_ bytes: [UInt8]) throws {
        var source = ByteSource(bytes)
        let kind = source.choice(4)
        let question = source.choice(9)
        let answers = ChainAnswers(source)
        server.answer { answers.answer($0) }
        var settings = ChainSettings()
        settings.retries = 1
        settings.sleep = { _ in }
        settings.answerTimeLimit = .seconds(5)
        let name = [
            "esplora:http://127.0.0.1:\(server.port)", "electrum:127.0.0.1:\(server.port):t",
            "core:http://u:p@127.0.0.1:\(server.port)", "core:http://u:p@127.0.0.1:\(server.port)/wallet/w",
        ][kind]
        let chain = try ChainServer(parsing: name).open(network: .regtest, settings: settings)
        let isOver = DispatchSemaphore(value: 0)
        Task.detached {
            do throws(ChainError) { try await ask(chain, question) } catch {
                expect(!error.description.isEmpty, "an error says what happened")
            }
            await chain.close()
            isOver.signal()
        }
        isOver.wait()
    }

    private static let scripts = [Script([0x51]), Script([0x00, 0x14] + [UInt8](repeating: 7, count: 20))]

    /// A transaction that a server may be asked for, and may know.
    private static let transaction = Transaction(
        inputs: [
            TransactionInput(
                outpoint: Outpoint(
                    transactionID: required(TransactionID([UInt8](repeating: 1, count: 32)), "32 bytes are an id"),
                    index: 0))
        ], outputs: [TransactionOutput(value: 1, scriptPubKey: Script([0x51]))])

    private static func ask(_ chain: any ChainSource, _ question: Int) async throws(ChainError) {
        switch question {
        case 0:
            let tip = try await chain.tip()
            expect((0..<500_000_000).contains(tip.height), "a height is one")
        case 1:
            let histories = try await chain.histories(of: scripts)
            expectSame(histories.count, scripts.count, "each script has a history")
            for history in histories {
                expectSame(Set(history.map(\.transactionID)).count, history.count, "no transaction comes twice")
            }
        case 2:
            let claims = try await chain.unspent(of: scripts)
            expectSame(claims.count, scripts.count, "each script has its coins")
        case 3:
            let found = try await chain.transactions([transaction.id])
            for (id, transaction) in found { expectSame(transaction.id, id, "a transaction has the id asked for") }
            expectSame(found.count, 1, "what was asked for is there")
        case 4:
            if let rate = try await chain.feeRate(targetBlocks: 6) {
                expect((1_000...10_000_000).contains(rate.satoshisPerKiloVirtualByte), "a fee rate can be believed")
            }
        case 5:
            let rate = try await chain.minimumFeeRate()
            expect(rate.satoshisPerKiloVirtualByte <= 1_000_000, "the least fee rate can be believed")
        case 6: expectSame(try await chain.broadcast(transaction), transaction.id, "what was sent is what was given")
        case 7:
            let heights = try await chain.heights(of: [SoughtTransaction(transaction, script: scripts[0])])
            expect(heights.keys.allSatisfy { $0 == transaction.id }, "only what was asked for is reported")
            expect(heights.values.allSatisfy { (0..<500_000_000).contains($0.height ?? 0) }, "a height is one")
        default: _ = try await chain.waitForChange(of: scripts, timeout: .zero)
        }
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        let hash = String(repeating: "a5", count: 32)
        let header = String(repeating: "00", count: 80)
        let raw = transaction.serialized().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let answers: [[String]] = [
            ["7", hash, "{\"height\":7,\"timestamp\":9,\"id\":\"\(hash)\"}"],
            ["{\"hex\":\"\(header)\",\"height\":7}"],
            ["{\"blocks\":7,\"bestblockhash\":\"\(hash)\",\"time\":3,\"height\":7}"],
            [
                "[{\"txid\":\"\(hash)\",\"vout\":1,\"value\":5000,\"status\":{\"confirmed\":true,\"block_height\":9}}]",
                "[]",
            ],
            ["[{\"tx_hash\":\"\(hash)\",\"tx_pos\":1,\"value\":5000,\"height\":9}]", "[]"],
            [
                "{\"unspents\":[{\"txid\":\"\(hash)\",\"vout\":0,\"amount\":0.001,\"height\":3}],\"success\":true,"
                    + "\"bestblock\":\"\(hash)\"}"
            ],
            [raw], ["\"\(raw)\""], ["\"\(transaction.id)\""], ["\(transaction.id)"], ["0.00012"], ["{\"6\":2.5}"],
            ["{\"confirmations\":2,\"bestblock\":\"\(hash)\"}"], ["{\"feerate\":0.0002,\"blocks\":6}"],
            ["{\"relayfee\":0.00001,\"minrelaytxfee\":0.00001}"], ["null"],
            ["{\"code\":-26,\"message\":\"min relay fee not met\"}"],
        ]
        var seeds: [[UInt8]] = []
        for kind: UInt8 in 0..<4 {
            for question: UInt8 in 0..<9 {
                for texts in answers {
                    var seed = [kind, question]
                    for text in texts {
                        seed += [0, UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 0xFF)]
                        seed += Array(text.utf8)
                    }
                    seeds.append(seed)
                }
            }
        }
        return seeds
    }
}

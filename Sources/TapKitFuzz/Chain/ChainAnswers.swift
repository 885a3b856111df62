import Bitcoin
import ByteCodec
import Synchronization

@testable import ChainData

/// The answers of a server for one of the three backends: the truth about the network, otherwise whatever the bytes say.
final class ChainAnswers: Sendable {
    private let source: Mutex<ByteSource>

    init(_ source: ByteSource) { self.source = Mutex(source) }

    func answer(_ request: AnsweringServer.Request) -> [UInt8] {
        switch request {
        case .line(let line):
            guard let value = try? JSONValue(answer: line) else { return [] }
            return answer(toCalls: value, version: ",\"jsonrpc\":\"2.0\"") + [UInt8(ascii: "\n")]
        case .http(_, let body) where !body.isEmpty && body.first == UInt8(ascii: "["):
            guard let value = try? JSONValue(answer: body) else { return [] }
            return Self.response(status(), answer(toCalls: value, version: ""))
        case .http("/block-height/0", _):
            return Self.response(200, Array(Network.regtest.genesisHash.description.utf8))
        case .http: return Self.response(status(), next())
        }
    }

    /// The next answer: up to 65 535 bytes.
    private func next() -> [UInt8] {
        source.withLock { source in source.take(Int(source.byte()) << 8 | Int(source.byte())) }
    }

    private func status() -> Int {
        source.withLock { $0.pick([200, 200, 200, 200, 200, 400, 404, 500, 503, 429, 302]) }
    }

    private static func response(_ status: Int, _ body: [UInt8]) -> [UInt8] {
        Array("HTTP/1.1 \(status) X\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    // MARK: JSON-RPC

    private func answer(toCalls value: JSONValue, version: String) -> [UInt8] {
        guard let calls = value.array else { return answer(toCall: value, version) }
        return Array("[".utf8) + calls.map { answer(toCall: $0, version) }.joined(separator: ",".utf8) + Array("]".utf8)
    }

    private func answer(toCall call: JSONValue, _ version: String) -> [UInt8] {
        let id = call["id"]?.integer ?? 0
        let result: [UInt8]
        switch call["method"]?.string {
        case "server.version": result = Array("[\"fuzz\",\"1.4\"]".utf8)
        case "blockchain.block.header": result = Array("\"\(Self.genesis)\"".utf8)
        case "getblockchaininfo": result = Array("{\"chain\":\"regtest\"}".utf8)
        case "getblockhash": result = Array("\"\(Network.regtest.genesisHash)\"".utf8)
        default:
            let choice = source.withLock { $0.choice(8) }
            if choice == 7 { return next() }
            let name = choice == 6 ? "error" : "result"
            return Array("{\"id\":\(id)\(version),\"\(name)\":".utf8) + next() + Array("}".utf8)
        }
        return Array("{\"id\":\(id)\(version),\"error\":null,\"result\":".utf8) + result + Array("}".utf8)
    }

    /// The header of the first block of regtest.
    private static let genesis =
        "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3"
        + "888a51323a9fb8aa4b1e5e4adae5494dffff7f2002000000"
}

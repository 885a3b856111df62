import Foundation
import Synchronization

/// An Electrum server on regtest whose answers a test writes.
public final class ElectrumStandIn: Sendable {
    /// One call.
    public struct Call: Sendable {
        /// The call's own number.
        public let id: Int
        /// The method's name.
        public let method: String
        /// The parameters, as text.
        public let parameters: [String]
    }

    /// What is done upon a line.
    public enum Answer: Sendable {
        /// JSON of a result, put into an answer with the call's id.
        case result(String)
        /// A line as it is; the end is added.
        case line([UInt8])
        /// Bytes without an end, again and again.
        case endless([UInt8])
        case silence
        case end
    }

    /// The header of regtest's first block, in hexadecimal.
    public static let genesisHeader =
        "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3"
        + "888a51323a9fb8aa4b1e5e4adae5494dffff7f2002000000"

    private let server: ScriptedServer

    /// Starts it.
    /// - Parameters:
    ///   - genesis: the header of the first block, in hexadecimal.
    ///   - onBatch: what is done upon a batch; `nil`: every call in it is answered.
    ///   - answer: what is done upon a call after the greeting.
    public init(
        genesis: String = genesisHeader, onBatch: Answer? = nil, _ answer: @escaping @Sendable (Call) -> Answer
    ) throws {
        server = try ScriptedServer { connection, _ in
            while let line = try connection.readLine() {
                let json = try JSONSerialization.jsonObject(with: Data(line.utf8))
                if let batch = json as? [[String: Any]] {
                    if let onBatch {
                        guard try Self.perform(onBatch, 0, connection) else { return }
                        continue
                    }
                    var parts: [String] = []
                    for call in batch.compactMap(Self.call) {
                        guard case .result(let result) = answer(call) else { continue }
                        parts.append(#"{"jsonrpc":"2.0","id":\#(call.id),"result":\#(result)}"#)
                    }
                    // In another order than asked.
                    try connection.write(Array("[\(parts.reversed().joined(separator: ","))]\n".utf8))
                } else if let call = (json as? [String: Any]).flatMap(Self.call) {
                    let reply: Answer =
                        switch call.method {
                        case "server.version": .result(#"["Stand-in","1.4"]"#)
                        case "blockchain.block.header": .result("\"\(genesis)\"")
                        default: answer(call)
                        }
                    guard try Self.perform(reply, call.id, connection) else { return }
                }
            }
        }
    }

    /// Where it listens.
    public var port: UInt16 { server.port }
    /// How often somebody connected.
    public var connectionCount: Int { server.connectionCount }

    private static func call(_ fields: [String: Any]) -> Call? {
        guard let id = fields["id"] as? Int, let method = fields["method"] as? String else { return nil }
        return Call(id: id, method: method, parameters: (fields["params"] as? [Any] ?? []).map { "\($0)" })
    }

    /// - Returns: whether the connection goes on.
    private static func perform(_ answer: Answer, _ id: Int, _ connection: LoopbackSocket) throws -> Bool {
        switch answer {
        case .result(let result):
            try connection.write(Array((#"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"# + "\n").utf8))
        case .line(let line): try connection.write(line + [0x0A])
        case .endless(let bytes): while true { try connection.write(bytes) }
        case .silence: break
        case .end: return false
        }
        return true
    }
}

import Bitcoin
import ByteCodec
import Foundation

/// Esplora's HTTP interface over a `BitcoinNode`: a stand-in (`Tests/Interop/esplora`), fed by the real node and sending
/// through it. It ends with the last reference, or `stop`.
public final class EsploraServer: Sendable {
    /// Where it listens.
    public let port: UInt16
    private let node: BitcoinNode
    private let process: InteractiveProcess

    /// Starts it.
    public static func start(over node: BitcoinNode) async throws -> EsploraServer {
        let process = try InteractiveProcess(
            "/usr/bin/python3", [PythonEnvironment.script("esplora"), "\(node.port)", node.cookieFile],
            environment: PythonEnvironment.variables)
        guard let port = UInt16(try await process.line()) else { throw CocoaError(.coderReadCorrupt) }
        return EsploraServer(port, node, process)
    }

    private init(_ port: UInt16, _ node: BitcoinNode, _ process: InteractiveProcess) {
        (self.port, self.node, self.process) = (port, node, process)
    }

    /// The address.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The server as `--chain` takes it.
    public var server: String { "esplora:\(url)" }

    /// Ends it.
    public func stop() async throws { try await process.stop() }

    /// Has it lie: from now on it tells of a transaction that the node does not have, as one that waits, and as one of the
    /// next block when that comes.
    public func invent(_ transaction: Transaction) async throws {
        let body = Hex.encodeUTF8(transaction.serialized())
        let head = "POST /tests/invent HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(body.count)\r\n\r\n"
        _ = try await BlockingThread.run { [port] in
            let socket = try LoopbackSocket(port: port)
            try socket.write(Array(head.utf8) + body)
            return try socket.readBody()
        }
    }
}

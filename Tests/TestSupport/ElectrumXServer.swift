import Bitcoin
import ByteCodec
import Foundation

/// The real ElectrumX over a `BitcoinNode`, on TCP and TLS. It ends with the last reference, or `stop`.
public final class ElectrumXServer: Sendable {
    /// Where it listens without TLS.
    public let port: UInt16
    /// Where it listens with TLS.
    public let securePort: UInt16
    /// Its certificate, of no authority's.
    public let certificate: SelfMadeCertificate
    private let node: BitcoinNode
    private let folder: TemporaryFolder
    private let process: InteractiveProcess

    /// The server without TLS, as `--chain` takes it.
    public var server: String { "electrum:127.0.0.1:\(port):t" }

    /// The server with TLS, as `--chain` takes it; by this name the certificate is good.
    public var secureServer: String { "electrum:localhost:\(securePort):s" }

    /// Starts it and waits until it serves.
    /// - Parameter certificate: for TLS; made when there is none.
    public static func start(
        over node: BitcoinNode, certificate: SelfMadeCertificate? = nil
    ) async throws -> ElectrumXServer {
        let server = try await ElectrumXServer(node, certificate)
        try await server.waitUntilSynced()
        return server
    }

    private init(_ node: BitcoinNode, _ certificate: SelfMadeCertificate?) async throws {
        let python = try PythonEnvironment.shared()
        self.node = node
        if let certificate {
            self.certificate = certificate
        } else {
            self.certificate = try await SelfMadeCertificate()
        }
        folder = try TemporaryFolder()
        port = try LoopbackSocket.freePort()
        securePort = try LoopbackSocket.freePort()
        let services = "tcp://127.0.0.1:\(port),ssl://127.0.0.1:\(securePort)"
        let settings: [String: String?] = [
            "COIN": "Bitcoin", "NET": "regtest", "DB_ENGINE": "leveldb", "DB_DIRECTORY": folder.url.path,
            "DAEMON_URL": "http://\(try node.cookie())@127.0.0.1:\(node.port)/", "ALLOW_ROOT": "1",
            "SERVICES": services, "SSL_CERTFILE": self.certificate.certificateFile,
            "SSL_KEYFILE": self.certificate.keyFile, "PEER_DISCOVERY": "off", "PEER_ANNOUNCE": nil,
            "COST_SOFT_LIMIT": "0", "COST_HARD_LIMIT": "0", "DAEMON_POLL_INTERVAL_BLOCKS": "100",
            "DAEMON_POLL_INTERVAL_MEMPOOL": "100", "CACHE_MB": "50",
        ]
        process = try InteractiveProcess(
            python.command("python"), [PythonEnvironment.script("electrum_server.py")],
            environment: settings.merging(PythonEnvironment.variables) { $1 },
            directory: folder.url)
    }

    /// Ends it.
    public func stop() async throws { try await process.stop(signal: SIGKILL) }

    /// Waits until it knows the node's last block and all that waits for one. Takes a second or so after a change.
    public func waitUntilSynced(timeout: Duration = .seconds(60)) async throws {
        let deadline = ContinuousClock.now + timeout
        while try await !isSynced() {
            guard ContinuousClock.now < deadline, process.isRunning else {
                throw CocoaError(
                    .featureUnsupported,
                    userInfo: [NSLocalizedDescriptionKey: "ElectrumX: \(process.errorText.suffix(2000))"])
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func isSynced() async throws -> Bool {
        let height = try await node.height()
        let waiting = try await node.waiting().compactMap { transaction in
            transaction.outputs.first.map {
                (id: "\(transaction.id)", scriptHash: Hex.encode(SHA256.hash($0.scriptPubKey.bytes).reversed()))
            }
        }
        return try await BlockingThread.run { [port] in
            guard let socket = try? LoopbackSocket(port: port) else { return false }
            _ = try Self.ask(socket, "server.version", #""tests","1.4""#)
            guard try Self.ask(socket, "blockchain.headers.subscribe", "").contains(#""height":\#(height)}"#) else {
                return false
            }
            for (id, scriptHash) in waiting {
                guard try Self.ask(socket, "blockchain.scripthash.get_mempool", #""\#(scriptHash)""#).contains(id)
                else {
                    return false
                }
            }
            return true
        }
    }

    private static func ask(_ socket: LoopbackSocket, _ method: String, _ parameters: String) throws -> String {
        try socket.write(
            Array(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":[\#(parameters)]}"#.utf8) + [0x0A])
        return try socket.readLine()?.replacingOccurrences(of: " ", with: "") ?? ""
    }
}

import Bitcoin
import Foundation

/// A little regtest chain of a test's own, with Bitcoin Core's JSON-RPC and Esplora's HTTP interface on loopback.
///
/// It is a stand-in (`Tests/Interop/regtest`): sums, double spends and maturity are checked, scripts and signatures are not.
/// It ends with the last reference, or with this process.
public final class RegtestChain: Sendable {
    /// Where Core's JSON-RPC listens.
    public let corePort: UInt16
    /// Where Esplora's interface listens.
    public let esploraPort: UInt16
    /// Core's cookie file.
    public let cookieFile: String
    /// What stands in the cookie file: `user:password`.
    public let cookie: String
    private let folder: TemporaryFolder
    private let process: InteractiveProcess

    /// Starts a chain of 110 blocks whose coins belong to its faucet.
    public static func start() async throws -> RegtestChain {
        let folder = try TemporaryFolder()
        let process = try InteractiveProcess(
            "/usr/bin/python3", [PythonEnvironment.script("regtest"), folder.url.path],
            environment: PythonEnvironment.variables)
        let line = try await process.line()
        return try RegtestChain(line, folder, process)
    }

    private init(_ line: String, _ folder: TemporaryFolder, _ process: InteractiveProcess) throws {
        struct Ports: Decodable {
            let core: UInt16
            let esplora: UInt16
            let cookie: String
        }
        let ports = try JSONDecoder().decode(Ports.self, from: Data(line.utf8))
        corePort = ports.core
        esploraPort = ports.esplora
        cookieFile = ports.cookie
        cookie = try String(contentsOfFile: ports.cookie, encoding: .utf8)
        self.folder = folder
        self.process = process
    }

    /// Ends it.
    public func stop() async throws { try await process.stop() }

    /// Core's address, without a password.
    public var coreURL: String { "http://127.0.0.1:\(corePort)" }

    /// Esplora's address.
    public var esploraURL: String { "http://127.0.0.1:\(esploraPort)" }

    /// The node as `--chain` takes it; with a wallet's name, that watch-only wallet.
    public func coreServer(wallet: String? = nil) -> String {
        "core:\(coreURL)\(wallet.map { "/wallet/\($0)" } ?? "")?cookie=\(cookieFile)"
    }

    /// The Esplora server as `--chain` takes it.
    public var esploraServer: String { "esplora:\(esploraURL)" }

    /// Pays a script from the faucet, unconfirmed until `mine`.
    public func fund(_ script: Script, _ amount: Amount) async throws -> Outpoint {
        let answer = try await call("test_fund", [script.description, amount.satoshis])
        guard let fields = answer as? [String: Any], let id = fields["txid"] as? String,
            let index = fields["vout"] as? Int, let id = TransactionID(parsing: id)
        else { throw CocoaError(.coderReadCorrupt) }
        return Outpoint(transactionID: id, index: UInt32(index))
    }

    /// Has a transaction wait for a block; nobody looks at its scripts.
    public func send(_ transaction: Transaction) async throws {
        let text = transaction.serialized().map { String(format: "%02x", $0) }.joined()
        _ = try await call("sendrawtransaction", [text])
    }

    /// Mines blocks; the first takes all that waits.
    public func mine(_ count: Int = 1) async throws { _ = try await call("test_mine", [count]) }

    /// Replaces the last blocks by others, one more; their transactions wait again.
    public func reorganize(depth: Int) async throws { _ = try await call("test_reorganize", [depth]) }

    /// Makes the node estimate a fee rate, in satoshis for 1 000 virtual bytes.
    public func setFeeEstimate(blocks: Int, _ rate: FeeRate) async throws {
        _ = try await call("test_estimate", [blocks, rate.satoshisPerKiloVirtualByte])
    }

    /// Makes an empty watch-only wallet.
    public func makeWallet(_ name: String) async throws { _ = try await call("createwallet", [name, true, true]) }

    /// The height of the last block.
    public func height() async throws -> Int { try await call("getblockcount") as? Int ?? -1 }

    /// The hash of the last block, as people see it.
    public func bestBlockHash() async throws -> String { try await call("getbestblockhash") as? String ?? "" }

    /// The methods called last, oldest first.
    public func calls() async throws -> [String] { try await call("test_calls") as? [String] ?? [] }

    /// Waiting transactions, each with the Electrum hash of its first output's script.
    func waiting() async throws -> [(id: String, scriptHash: String)] {
        let pairs = try await call("test_mempool") as? [[String]] ?? []
        return pairs.compactMap { $0.count == 2 ? ($0[0], $0[1]) : nil }
    }

    /// Calls a method of Core's, or one of the stand-in's own.
    func call(_ method: String, _ parameters: [Any] = []) async throws -> Any {
        let body = try JSONSerialization.data(withJSONObject: ["method": method, "params": parameters, "id": 1])
        var lines = ["POST / HTTP/1.1", "Host: 127.0.0.1", "Connection: close", "Content-Length: \(body.count)"]
        lines.append("Authorization: Basic \(Data(cookie.utf8).base64EncodedString())")
        let request = Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
        let answer = try await BlockingThread.run { [corePort] in
            let socket = try LoopbackSocket(port: corePort)
            try socket.write([UInt8](request))
            return try socket.readBody()
        }
        guard let reply = try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any],
            let result = reply["result"]
        else { throw CocoaError(.coderReadCorrupt) }
        if let error = reply["error"] as? [String: Any] {
            throw CocoaError(.featureUnsupported, userInfo: [NSLocalizedDescriptionKey: "\(method): \(error)"])
        }
        return result
    }
}

import Bitcoin
import Foundation
import Synchronization

/// A real Bitcoin node (Bitcoin Knots: Core's node, wallet and RPC), on a regtest chain of a test's own unless told otherwise.
///
/// Every block and transaction is verified as on the main chain, by Core's policy for the mempool: what is not standard is
/// refused, on regtest too. It listens on loopback for RPC only. It ends with the last reference, or with this process.
public final class BitcoinNode: Sendable {
    /// Where JSON-RPC listens.
    public let port: UInt16
    /// The faucet that blocks are mined for, and that pays.
    public let faucet: NodeFaucet
    let folder: TemporaryFolder
    private let process: InteractiveProcess
    /// The node's own process; `process` stands around it.
    private let identifier: pid_t
    let blocksReplaced: Mutex<UInt32>

    /// Starts a node with blocks that the faucet's coins come from, all of them ready to be spent.
    /// - Parameter options: more of `bitcoind`'s options; they come last, where the last one counts.
    /// - Throws: when `Tests/Interop/setup-node` has not been run, or the node does not start.
    public static func start(_ options: [String] = []) async throws -> BitcoinNode {
        let node = try await launch(options, in: try TemporaryFolder(inMemory: true), faucet: try NodeFaucet())
        try await node.waitUntilReady()
        try await node.fillFaucet()
        return node
    }

    /// Starts a node on another network, of which it has the first block only, since it asks nobody: for its wallets.
    /// - Parameter options: as `start` takes them.
    public static func startAlone(on network: Network, _ options: [String] = []) async throws -> BitcoinNode {
        let folder = try TemporaryFolder(inMemory: true)
        // Where that of regtest would be.
        try FileManager.default.createDirectory(atPath: folder.path("regtest"), withIntermediateDirectories: true)
        let other = ["-regtest=0", "-chain=\(network.rawValue)", "-rpccookiefile=\(folder.path("regtest/.cookie"))"]
        let node = try await launch(other + options, in: folder, faucet: try NodeFaucet())
        try await node.waitUntilReady()
        return node
    }

    /// Starts a node on the same chain and wallets, and the same port, once this one has ended.
    /// - Parameters:
    ///   - options: what it is to be started with.
    ///   - isAwaited: whether to wait until it answers; otherwise it may still be starting, or reading its blocks.
    public func restarted(_ options: [String] = [], isAwaited: Bool = true) async throws -> BitcoinNode {
        let node = try await Self.launch(options, in: folder, faucet: faucet, port: port)
        if isAwaited { try await node.waitUntilReady() }
        return node
    }

    private static let shared = Task { try await start() }

    /// One node for all tests of this process that get on with others: who uses it takes scripts and wallets of its own,
    /// expects no certain height, and replaces no blocks.
    public static func shared() async throws -> BitcoinNode { try await shared.value }

    /// The options that every node gets.
    private static let options = [
        "-regtest", "-listen=0", "-dnsseed=0", "-fixedseeds=0", "-networkactive=0", "-printtoconsole=0", "-txindex=1",
        // Core's policy, not Knots' stricter one; and standardness, which regtest would not ask for.
        "-corepolicy=1", "-acceptnonstdtxn=0", "-addresstype=bech32", "-changetype=bech32",
        // Small and quick: few keys for a wallet, little memory, no file of what waits.
        "-keypool=5", "-dbcache=8", "-par=1", "-rpcthreads=8", "-rpcworkqueue=256", "-persistmempool=0",
        // A chain that nobody mined on for a day is no reason to wait for others.
        "-maxtipage=2000000000", "-rpcbind=127.0.0.1", "-rpcallowip=127.0.0.1",
    ]

    /// Whoever starts the node through it has it ended with its own standard input, which ends with this process however
    /// that goes. First it says the node's process id.
    private static let guardian = """
        exec 3<&0
        "$@" </dev/null 3<&- & node=$!
        echo $node
        { cat <&3 >/dev/null; kill -KILL $node; } & guard=$!
        exec 3<&-
        wait $node; status=$?
        kill $guard
        exit $status
        """

    private static func launch(
        _ options: [String], in folder: TemporaryFolder, faucet: NodeFaucet, port: UInt16? = nil
    ) async throws -> BitcoinNode {
        let program = try await BitcoinNodeProgram.path("bitcoind")
        // What a node before left there is no answer of this one's.
        try? FileManager.default.removeItem(at: folder.url.appendingPathComponent("regtest/.cookie"))
        let port = try port ?? LoopbackSocket.freePort()
        let arguments = Self.options + ["-datadir=\(folder.url.path)", "-rpcport=\(port)"] + options
        let process = try InteractiveProcess("/bin/sh", ["-c", guardian, "node", program] + arguments)
        guard let identifier = pid_t(try await process.line()) else { throw CocoaError(.coderReadCorrupt) }
        return BitcoinNode(port, faucet, folder, process, identifier)
    }

    private init(
        _ port: UInt16, _ faucet: NodeFaucet, _ folder: TemporaryFolder, _ process: InteractiveProcess,
        _ identifier: pid_t
    ) {
        (self.port, self.faucet, self.folder) = (port, faucet, folder)
        (self.process, self.identifier) = (process, identifier)
        blocksReplaced = Mutex(0)
    }

    /// Core's cookie file.
    public var cookieFile: String { folder.path("regtest/.cookie") }

    /// What stands in the cookie file: `user:password`.
    public func cookie() throws -> String { try String(contentsOfFile: cookieFile, encoding: .utf8) }

    /// The node's own log, for messages.
    public var log: String {
        (try? String(contentsOfFile: folder.path("regtest/debug.log"), encoding: .utf8)) ?? ""
    }

    /// Whether it has not ended yet.
    public var isRunning: Bool { process.isRunning }

    /// The address, without a password.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The node as `--chain` takes it; with a wallet's name, that wallet.
    public func coreServer(wallet: String? = nil) -> String {
        "core:\(url)\(wallet.map { "/wallet/\($0)" } ?? "")?cookie=\(cookieFile)"
    }

    /// Waits until it answers, when it reads its blocks until they are read.
    public func waitUntilReady(timeout: Duration = .seconds(120)) async throws {
        let deadline = ContinuousClock.now + timeout
        while true {
            if FileManager.default.fileExists(atPath: cookieFile), (try? await call("getblockcount")) != nil { return }
            guard process.isRunning, ContinuousClock.now < deadline else {
                throw NodeError(
                    code: 0, message: "bitcoind does not start: \(process.errorText)\n\(log.suffix(2000))")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Asks it to end, as a machine does that is shut down, and waits; everything is on the disk then.
    public func stop() async throws {
        if process.isRunning { Glibc.kill(identifier, SIGTERM) }
        _ = try await process.ending(timeout: .seconds(120))
    }

    /// Kills it, as when the power fails, and waits for its end.
    public func kill() async throws {
        if process.isRunning { Glibc.kill(identifier, SIGKILL) }
        _ = try await process.ending(timeout: .seconds(120))
    }
}

/// What `Tests/Interop/setup-node` fetched.
public enum BitcoinNodeProgram {
    private static let check = Task {
        let script = PythonEnvironment.script("setup-node")
        let check = try await Subprocess.run(script, ["--check"])
        guard check.status == 0 else { throw Missing(description: check.errorText) }
        print(check.text, terminator: "")
        return Vectors.root.appendingPathComponent(".build/bitcoin-node/bin")
    }

    /// There is no node to be run; the description says how to get one.
    public struct Missing: Error, CustomStringConvertible {
        /// The script's own words.
        public let description: String
    }

    /// Where one of the node's programs is: `bitcoind`, `bitcoin-cli`, `bitcoin-tx`, `bitcoin-util`, `bitcoin-wallet`.
    /// - Throws: `Missing`.
    public static func path(_ name: String) async throws -> String {
        try await check.value.appendingPathComponent(name).path
    }
}

import Bitcoin
import Foundation
import TestSupport
import Testing

/// Debian's Electrum on regtest with a wallet file open, connected to one server only. It ends with the last reference.
final class ElectrumWallet: Sendable {
    private static let program = "/usr/bin/electrum"
    private let folder: TemporaryFolder
    private let file: String
    /// For each of its programs. The password is given to each: in its settings, which the daemon writes anew as it starts, who
    /// asks may find half a file, make up another password, and be forbidden for good.
    private let options: [String]
    private let daemon: InteractiveProcess

    /// Starts Electrum and opens the file, which it then writes to.
    /// - Parameter server: reached without TLS.
    static func open(_ file: String, server: ElectrumXServer) async throws -> ElectrumWallet {
        let wallet = try ElectrumWallet(file, server: server)
        // Counted, not timed: each look waits for its turn among the programs that tests run.
        for look in 1...300 {
            if try await wallet.run("getinfo").status == 0 { break }
            try #require(wallet.daemon.isRunning && look < 300, "\(wallet.daemon.text)\(wallet.daemon.errorText)")
            try await Task.sleep(for: .milliseconds(200))
        }
        // Older versions say "true" when they have it open, newer ones nothing.
        let said = try await wallet.answer("load_wallet")
        let list = Data(try await wallet.answer("list_wallets").utf8)
        let opened = try? JSONSerialization.jsonObject(with: list) as? [[String: Any]]
        try #require(opened?.count == 1, "\(said)\(wallet.daemon.text)\(wallet.daemon.errorText)")
        return wallet
    }

    private init(_ file: String, server: ElectrumXServer) throws {
        folder = try TemporaryFolder()
        self.file = file
        options =
            ["--regtest", "-D", folder.url.path] + ["--rpcuser", "tests", "--rpcpassword", UUID().uuidString]
        daemon = try InteractiveProcess(
            Self.program, options + ["daemon", "--oneserver", "-s", "127.0.0.1:\(server.port):t"],
            environment: PythonEnvironment.variables.merging(["HOME": folder.url.path]) { $1 })
    }

    private func run(_ arguments: [String]) async throws -> Subprocess {
        try await Subprocess.run(
            Self.program, options + arguments,
            environment: PythonEnvironment.variables.merging(["HOME": folder.url.path]) { $1 })
    }

    private func run(_ arguments: String...) async throws -> Subprocess { try await run(arguments) }

    /// What a command prints.
    /// - Throws: with everything that it wrote, when it fails.
    func answer(_ command: String, _ arguments: String...) async throws -> String {
        try await run([command] + arguments + (Self.walletless.contains(command) ? [] : ["-w", file])).succeeded().text
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static let walletless: Set = ["broadcast", "deserialize", "list_wallets"]

    /// The addresses of a branch, as many as Electrum looks ahead.
    func addresses(isChange: Bool) async throws -> [String] {
        let text = try await answer("listaddresses", isChange ? "--change" : "--receiving")
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String])
    }

    /// What it makes of a PSBT when one is loaded in its window.
    /// - Returns: whether it finds it complete, and the transaction in hexadecimal if so.
    func complete(_ psbt: String) async throws -> (isComplete: Bool, transaction: String) {
        let request = try JSONSerialization.data(withJSONObject: ["wallet": file, "psbt": psbt])
        let answer = try await Subprocess.run(
            "/usr/bin/python3", [PythonEnvironment.script("electrum_complete.py")], input: request,
            environment: PythonEnvironment.variables.merging(["HOME": folder.url.path]) { $1 }
        ).succeeded().json()
        return (try answer.field("complete"), try answer.text("tx"))
    }

    /// Waits until it has so many satoshis, confirmed.
    func waitForBalance(_ satoshis: Int64) async throws {
        var last = ""
        // Counted, not timed: each look waits for its turn among the programs that tests run.
        for _ in 0..<300 {
            last = try await answer("getbalance")
            let balance = try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: String]
            if balance?["unconfirmed"] == nil, let text = balance?["confirmed"], let value = Decimal(string: text),
                value * 100_000_000 == Decimal(satoshis)
            {
                return
            }
            try await Task.sleep(for: .milliseconds(200))
        }
        Issue.record("It never has \(satoshis) sat: \(last)\n\(daemon.errorText.suffix(2000))")
    }

    /// Ends it.
    func stop() async throws { try await daemon.stop() }
}

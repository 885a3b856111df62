import Bitcoin
import Foundation
import TestSupport
import Testing

/// Debian's Electrum on regtest with a wallet file open, connected to one server only. It ends with the last reference.
///
/// It is asked over JSON-RPC, which is what its command line does too after a second of starting.
final class ElectrumWallet: Sendable {
    private static let user = "tests"
    private let folder: TemporaryFolder
    private let file: String
    private let port: UInt16
    /// Given to the daemon: in its settings, which it writes anew as it starts, who asks may find half a file.
    private let password = UUID().uuidString
    private let daemon: InteractiveProcess

    /// Starts Electrum and opens the file, which it then writes to.
    /// - Parameter server: reached without TLS.
    static func open(_ file: String, server: ElectrumXServer) async throws -> ElectrumWallet {
        let wallet = try ElectrumWallet(file, server: server)
        for look in 1...looks {
            if (try? await wallet.ask("getinfo")) != nil { break }
            try #require(wallet.daemon.isRunning && look < looks, "\(wallet.daemon.text)\(wallet.daemon.errorText)")
            try await Task.sleep(for: pause)
        }
        // Older versions say "true" when they have it open, newer ones nothing.
        let said = try await wallet.ask("load_wallet", ["wallet_path": file])
        let opened = try await wallet.ask("list_wallets") as? [[String: Any]]
        try #require(opened?.count == 1, "\(said)\(wallet.daemon.text)\(wallet.daemon.errorText)")
        return wallet
    }

    /// How often it is looked whether something has come, at most: five minutes. Electrum tells nobody.
    private static let looks = 6_000
    /// Between two looks.
    private static let pause = Duration.milliseconds(50)

    private init(_ file: String, server: ElectrumXServer) throws {
        folder = try TemporaryFolder()
        self.file = file
        port = try LoopbackSocket.freePort()
        daemon = try InteractiveProcess(
            "/usr/bin/electrum",
            [
                "--regtest", "-D", folder.url.path, "--rpcuser", Self.user, "--rpcpassword", password,
                "daemon", "--rpcport", "\(port)", "--oneserver", "-s", "127.0.0.1:\(server.port):t",
            ],
            environment: PythonEnvironment.variables.merging(["HOME": folder.url.path]) { $1 })
    }

    /// What it answers to a command.
    /// - Throws: with everything that it said, when the command fails.
    private func ask(_ command: String, _ parameters: [String: Any] = [:]) async throws -> Any {
        let body = try JSONSerialization.data(
            withJSONObject: ["jsonrpc": "2.0", "id": 0, "method": command, "params": parameters])
        let head = [
            "POST / HTTP/1.1", "Host: 127.0.0.1", "Connection: close", "Content-Length: \(body.count)",
            "Authorization: Basic \(Data("\(Self.user):\(password)".utf8).base64EncodedString())", "", "",
        ].joined(separator: "\r\n")
        let answer = try await BlockingThread.run { [port] in
            let socket = try LoopbackSocket(port: port)
            try socket.write(Array(head.utf8) + body)
            return Data(try socket.readBody())
        }
        let object = try JSONSerialization.jsonObject(with: answer) as? [String: Any]
        guard object?["error"] == nil, let result = object?["result"] else {
            let said = String(decoding: answer, as: UTF8.self)
            throw Refusal(description: "\(command): \(said)\(daemon.errorText.suffix(2000))")
        }
        return result
    }

    /// It does not do what is asked.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// Makes a PSBT that pays to an address, with a fee of 2 sat/vB.
    /// - Parameter amount: in bitcoin.
    func psbt(paying address: String, _ amount: String) async throws -> String {
        let payment: [String: Any] = [
            "destination": address, "amount": amount, "unsigned": true, "feerate": 2, "wallet": file,
        ]
        return try #require(try await ask("payto", payment) as? String)
    }

    /// Sends a transaction.
    /// - Returns: its identifier.
    func broadcast(_ transaction: String) async throws -> String {
        try #require(try await ask("broadcast", ["tx": transaction]) as? String)
    }

    /// The addresses of a branch, as many as Electrum looks ahead.
    func addresses(isChange: Bool) async throws -> [String] {
        let branch: [String: Any] = [isChange ? "change" : "receiving": true, "wallet": file]
        return try #require(try await ask("listaddresses", branch) as? [String])
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
        for _ in 1...Self.looks {
            let (balance, said) = try await balance()
            if balance == Decimal(satoshis) { return }
            last = said
            try await Task.sleep(for: Self.pause)
        }
        Issue.record("It never has \(satoshis) sat: \(last)\n\(daemon.errorText.suffix(2000))")
    }

    /// Its satoshis, and all that it says of them; `nil` while some are unconfirmed.
    private func balance() async throws -> (satoshis: Decimal?, said: String) {
        let answer = try await ask("getbalance", ["wallet": file])
        let fields = answer as? [String: String] ?? [:]
        let confirmed = fields["unconfirmed"] == nil ? fields["confirmed"].flatMap { Decimal(string: $0) } : nil
        return (confirmed.map { $0 * 100_000_000 }, "\(answer)")
    }

    /// Ends it.
    func stop() async throws { try await daemon.stop() }
}

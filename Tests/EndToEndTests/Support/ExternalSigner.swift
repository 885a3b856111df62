import Bitcoin
import Foundation
import TestSupport

/// What a Bitcoin node's `-signer` names: `tapkit hwi`, where a workshop's card is, and a note of every call and answer.
struct ExternalSigner: Sendable {
    let workshop: Workshop
    private let folder: TemporaryFolder

    /// - Parameters:
    ///   - sandbox: where the card is laid down; `nil`: it is simulated without PC/SC.
    init(_ workshop: Workshop, in sandbox: PCSCSandbox? = nil) throws {
        self.workshop = workshop
        folder = try TemporaryFolder()
        let hwi = ["hwi"] + (sandbox == nil ? ["--emulators"] : [])
        let command =
            try sandbox?.commandLine(Subprocess.tapkit, hwi, in: workshop.folder.url) ?? [Subprocess.tapkit] + hwi
        var variables = workshop.environment
        if sandbox != nil { variables["TAPKIT_READER"] = "pcsc" }
        let lines =
            variables.sorted { $0.key < $1.key }.map { name, value in
                value.map { "export \(name)=\(Self.quoted($0))" } ?? "unset \(name)"
            } + [
                #"printf '%s\n' "$*" >>\#(Self.quoted(folder.path("calls")))"#,
                #"answer=$(\#(command.map(Self.quoted).joined(separator: " ")) "$@"); status=$?"#,
                #"printf '%s\n' "$answer" | tee -a \#(Self.quoted(folder.path("answers"))); exit $status"#,
            ]
        try folder.write(lines.joined(separator: "\n") + "\n", to: "signer")
    }

    /// The node's option.
    var option: String { "-signer=/bin/sh \(folder.path("signer"))" }

    /// The arguments of every call so far.
    var calls: [String] { lines("calls") }

    /// The answer to every call so far, in one line each.
    var answers: [String] { lines("answers") }

    private func lines(_ name: String) -> [String] {
        let text = try? String(contentsOfFile: folder.path(name), encoding: .utf8)
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    private static func quoted(_ text: String) -> String {
        "'\(text.replacingOccurrences(of: "'", with: #"'\''"#))'"
    }
}

/// A wallet of a Bitcoin node's whose keys its external signer has.
struct SignerWallet: Sendable {
    let node: BitcoinNode
    let name: String

    /// Makes it, with the account that the signer tells.
    static func make(_ name: String, on node: BitcoinNode) async throws -> SignerWallet {
        try await node.call(
            "createwallet", ["wallet_name": name, "disable_private_keys": true, "external_signer": true])
        return SignerWallet(node: node, name: name)
    }

    /// The next address of a type, as Core calls it, after the signer has shown it.
    /// - Returns: the address, and what the signer showed.
    func newAddress(_ type: String) async throws -> (address: String, shown: String) {
        let address = try await node.call("getnewaddress", "", type, wallet: name, as: String.self)
        let answer = try await node.call("walletdisplayaddress", address, wallet: name, as: [String: Any].self)
        return (address, try answer.text("address"))
    }

    /// What the wallet has in blocks, and what waits.
    struct Balance: Equatable {
        var confirmed: Int64 = 0
        var waiting: Int64 = 0
    }

    /// What the wallet can spend.
    func balance() async throws -> Balance {
        let coins = try await node.call("listunspent", 0, wallet: name, as: [[String: Any]].self)
        return try coins.reduce(into: Balance()) { balance, coin in
            let amount = try coin.satoshis("amount")
            if try coin.field("confirmations", as: Int.self) > 0 {
                balance.confirmed += amount
            } else {
                balance.waiting += amount
            }
        }
    }

    /// A transaction of its own, and the fee that it pays.
    func transaction(_ id: String) async throws -> (transaction: Transaction, fee: Int64) {
        guard let id = TransactionID(parsing: id) else { throw CocoaError(.coderReadCorrupt) }
        let answer = try await node.call("gettransaction", id.description, wallet: name, as: [String: Any].self)
        return (try await node.transaction(id), -(try answer.satoshis("fee")))
    }
}

extension [String: Any] {
    /// An amount in bitcoins, as a node writes it, in satoshis.
    func satoshis(_ key: String) throws -> Int64 {
        Int64((try field(key, as: Double.self) * 100_000_000).rounded())
    }
}

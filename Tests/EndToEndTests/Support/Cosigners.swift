import Bitcoin
import Foundation
import TestSupport
import Testing

/// Two TAPSIGNERs of a 2-of-3 multisig, whose third cosigner is no card, and a PSBT that spends from it, in the first
/// one's folder; the coins are the shared node's. The store is the first one's, too.
struct Cosigners: Sendable {
    let first: Workshop
    let second: Workshop
    let wallets: [SampleWallet]
    let unsigned: PSBT

    /// - Parameters:
    ///   - inputs: how many coins the PSBT spends.
    ///   - cvc: the second card's.
    init(inputs: Int = 1, secondCVC cvc: String = Workshop.printedCVC) async throws {
        first = try await Workshop()
        second = try await Workshop(cvc: cvc)
        wallets = [try await first.wallet(), try await second.wallet(), try SampleWallet(seed: 77)]
        unsigned = try await SampleMultisig(.p2wsh, wallets).psbt(inputs: inputs, on: BitcoinNode.shared())
        try write(unsigned, to: "tx.psbt")
    }

    /// The cards' fingerprints, as JSON has them, in ascending order.
    var bothFingerprints: [String] { wallets.prefix(2).map(\.fingerprint.description).sorted() }

    /// Writes a PSBT into the first one's folder.
    func write(_ psbt: PSBT, to name: String) throws {
        try Data(psbt.serialized()).write(to: first.folder.url.appendingPathComponent(name))
    }

    /// What makes a verb in the first one's folder work with the second card.
    var withSecond: [String: String?] { ["TAPKIT_READER": "sim:\(second.cardFile)"] }

    /// Signs with one card each, in stores of their own: what cosigners send each other.
    /// - Returns: the names of the files.
    func signSeparately() async throws -> [String] {
        try await first.tapkit("sign", "tx.psbt", "-o", "a.psbt", "--yes", environment: ["TAPKIT_DATA_DIR": "a"])
            .succeeded()
        try await first.tapkit(
            "sign", "tx.psbt", "-o", "b.psbt", "--yes",
            environment: withSecond.merging(["TAPKIT_DATA_DIR": "b"]) { $1 }
        ).succeeded()
        return ["a.psbt", "b.psbt"]
    }

    /// Forgets the signed file.
    func removeSigned() throws { try FileManager.default.removeItem(atPath: first.folder.path("tx.signed.psbt")) }

    /// Writes a file with the CVCs.
    func writeCVCs(_ lines: String...) throws {
        try first.folder.write(lines.joined(separator: "\n") + "\n", to: "cvc")
    }

    /// Both cards on the readers of a PC/SC service that is the test's own.
    func laidDown() async throws -> PCSCSandbox { try await PCSCSandbox(card: first.cardFile, second.cardFile) }

    /// The stored transactions.
    func stored() async throws -> [[String: Any]] {
        try await first.tapkit("tx", "list", "--json").succeeded().json().field("transactions")
    }
}

extension Workshop {
    /// How many wrong CVCs the card has counted.
    func wrongAttempts() async throws -> Int {
        try await tapkit("sim", "show", cardFile, "--json").succeeded().json().field("wrong_attempts")
    }
}

extension Subprocess {
    /// Commands that carry a CVC when a transaction is signed.
    static let authenticated: Set<String> = ["derive", "xpub", "read", "sign"]

    /// The commands that the card heard, in their order, as `--trace` shows them.
    var heard: [String] {
        errorText.split(separator: "\n").filter { $0.hasPrefix("  | > ") }.compactMap {
            $0.dropFirst(6).split(separator: " ").first.map(String.init)
        }
    }
}

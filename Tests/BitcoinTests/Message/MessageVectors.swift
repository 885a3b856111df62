import Bitcoin
import TestSupport
import Testing

/// The published signed messages.
enum MessageVectors {
    static let file = "bip137_322/bip137_322.json"

    static func rows(_ kind: String) throws -> [VectorRow] { try Vectors.load(file, kinds: [kind]) }

    /// The verdict on a signature of a row.
    static func verdict(_ row: VectorRow, signature: String) throws -> MessageVerdict {
        SignedMessage.verify(
            message: Array(try row.text("message").utf8), address: try UncheckedAddress(parsing: row.text("address")),
            signature: signature)
    }

    /// Every valid signature: BIP-137, simple, full and proof of funds.
    static func validSignatures() throws -> [(row: VectorRow, signature: String)] {
        let rows = try Vectors.load(file)
        let recoverable = try rows.filter { try $0.kind == "bip137_verify" && $0.flag("valid") }
            .map { ($0, try $0.text("signature")) }
        let generic = try rows.filter { ["bip322_simple", "bip322_full", "bip322_proof_of_funds"].contains($0.kind) }
            .flatMap { row in try row.texts("signatures").map { (row, $0) } }
        return recoverable + generic
    }
}

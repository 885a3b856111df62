import Bitcoin
import ByteCodec
import TestSupport
import Testing

/// The rows of `bips/bip174.json`.
enum PSBTVectors {
    static let rows = Result { try Vectors.load("bips/bip174.json") }

    static func rows(_ kinds: String...) throws -> [VectorRow] {
        try rows.get().filter { kinds.contains($0.kind) }
    }

    /// The row with this name.
    static func row(_ name: String) throws -> VectorRow {
        try #require(rows.get().first { $0["name"] == name }, "no row \(name)")
    }
}

extension VectorRow {
    /// The PSBT at a key that holds Base64.
    func psbt(_ key: String = "psbt_base64") throws -> PSBT { try PSBT(fileContent: Array(try text(key).utf8)) }

    /// The bytes of the PSBT at a key that holds Base64.
    func psbtBytes(_ key: String = "psbt_base64") throws -> [UInt8] { try Base64.decode(try text(key)) }
}

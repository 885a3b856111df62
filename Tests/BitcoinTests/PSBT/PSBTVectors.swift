import Bitcoin
import ByteCodec
import TestSupport
import Testing

/// The rows of `bips/bip174.json`, and of `bips/bip370.json` and `bips/bip371.json`.
enum PSBTVectors {
    static let rows = Result { try Vectors.load("bips/bip174.json") }
    static let version2Rows = Result { try Vectors.load("bips/bip370.json") }
    static let taprootRows = Result { try Vectors.load("bips/bip371.json") }

    static func rows(_ kinds: String...) throws -> [VectorRow] {
        try rows.get().filter { kinds.contains($0.kind) }
    }

    /// The row with this name.
    static func row(_ name: String) throws -> VectorRow {
        try #require(rows.get().first { $0["name"] == name }, "no row \(name)")
    }

    /// The PSBT of the row with this name.
    static func psbt(_ name: String) throws -> PSBT { try row(name).psbt() }

    static func version2Rows(_ kinds: String...) throws -> [VectorRow] {
        try version2Rows.get().filter { kinds.contains($0.kind) }
    }

    /// The PSBT of the version 2 row with this name.
    static func version2(_ name: String) throws -> PSBT {
        try #require(version2Rows.get().first { $0["name"] == name }, "no row \(name)").psbt()
    }

    /// Every PSBT that is valid, in binary.
    static func allValid() throws -> [[UInt8]] { try allValidOfVersion0() + allValidOfVersion2() }

    /// Every PSBT of version 2 that is valid, in binary.
    static func allValidOfVersion2() throws -> [[UInt8]] {
        try version2Rows("valid", "lock_time").filter { $0["computable"] != false }.map { try $0.psbtBytes() }
            + version2Rows("convert", "convert_to_v2").map { try $0.bytes("psbt_v2") }
    }

    private static func allValidOfVersion0() throws -> [[UInt8]] {
        let rows = try rows("valid", "signer_fails", "role", "core_signer", "core_finalizer") + taprootRows.get()
        return try rows.filter { $0.kind != "invalid" && $0.fields["psbt_base64"] != nil }.map { try $0.psbtBytes() }
    }
}

extension VectorRow {
    /// The PSBT at a key that holds Base64.
    func psbt(_ key: String = "psbt_base64") throws -> PSBT { try PSBT(fileContent: Array(try text(key).utf8)) }

    /// The bytes of the PSBT at a key that holds Base64.
    func psbtBytes(_ key: String = "psbt_base64") throws -> [UInt8] { try Base64.decode(try text(key)) }

    /// The texts in the list at a key.
    func texts(_ key: String) throws -> [String] { try #require(self[key], "\(testDescription) has no \(key)") }

    /// The key types in the lists at a key.
    func keyTypes(_ key: String) throws -> [[Int]] { try #require(self[key], "\(testDescription) has no \(key)") }
}

extension PSBT {
    /// The records of every map, whatever their order.
    var contents: [Set<PSBTRecord>] {
        ([global] + inputs.map(\.map) + outputs.map(\.map)).map { Set($0.records) }
    }
}

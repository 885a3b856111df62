import Bitcoin
import ByteCodec
import Foundation
import Testing

/// Typed access to a row's fields: an absent or mistyped field fails the test where it was asked for.
extension VectorRow {
    /// The text at a key.
    public func text(_ key: String, at location: SourceLocation = #_sourceLocation) throws -> String {
        try field(key, at: location)
    }

    /// The bytes at a key that holds hexadecimal digits.
    public func bytes(_ key: String, at location: SourceLocation = #_sourceLocation) throws -> [UInt8] {
        try Hex.decode(try text(key, at: location))
    }

    /// The 32 bytes at a key that holds hexadecimal digits.
    public func digest(_ key: String, at location: SourceLocation = #_sourceLocation) throws -> Digest {
        try #require(Digest(try bytes(key, at: location)), "\(testDescription): \(key)", sourceLocation: location)
    }

    /// The chain code at a key that holds hexadecimal digits.
    public func chainCode(_ key: String, at location: SourceLocation = #_sourceLocation) throws -> ChainCode {
        try #require(ChainCode(try bytes(key, at: location)), "\(testDescription): \(key)", sourceLocation: location)
    }

    /// The whole number at a key.
    public func number(_ key: String, at location: SourceLocation = #_sourceLocation) throws -> Int {
        try field(key, as: NSNumber.self, at: location).intValue
    }

    /// The truth value at a key.
    public func flag(_ key: String, at location: SourceLocation = #_sourceLocation) throws -> Bool {
        try field(key, as: NSNumber.self, at: location).boolValue
    }

    /// The object at a key, read like a row.
    public func object(_ key: String, at location: SourceLocation = #_sourceLocation) throws -> VectorRow {
        VectorRow(fields: try field(key, at: location), index: index)
    }

    /// The objects in the list at a key, read like rows.
    public func objects(_ key: String, at location: SourceLocation = #_sourceLocation) throws -> [VectorRow] {
        try field(key, as: [[String: Any]].self, at: location).map { VectorRow(fields: $0, index: index) }
    }

    private func field<Value>(
        _ key: String, as type: Value.Type = Value.self, at location: SourceLocation
    ) throws -> Value {
        try #require(fields[key] as? Value, "\(testDescription) has no \(key)", sourceLocation: location)
    }
}

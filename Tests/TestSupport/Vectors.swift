import Foundation
import Testing

/// A row of a vector file: its fields as JSON gave them.
public struct VectorRow: @unchecked Sendable, CustomTestStringConvertible {
    /// The fields as `JSONSerialization` reads them.
    public let fields: [String: Any]
    /// The row's number in its file, from 0; names the row in a failure.
    public let index: Int

    /// A row of these fields.
    public init(fields: [String: Any], index: Int) {
        self.fields = fields
        self.index = index
    }

    /// The value at a key, if it has the asked type.
    public subscript<Value>(key: String, as type: Value.Type = Value.self) -> Value? { fields[key] as? Value }

    /// The sort of the row.
    public var kind: String { self["kind"] ?? "" }

    /// Number and kind, with the row's name where it has one.
    public var testDescription: String {
        "row \(index) \(kind) \(self["name", as: String.self] ?? "")"
    }
}

/// The published vectors in `Vectors/`.
public enum Vectors {
    /// The repository's root.
    public static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The rows of a file below `Vectors/`, such as `bips/bip32.json`.
    /// - Throws: when the file is missing or is no vector file: a missing vector fails the test.
    public static func load(_ path: String, kinds: Set<String>? = nil) throws -> [VectorRow] {
        let data = try Data(contentsOf: root.appendingPathComponent("Vectors/\(path)"))
        guard let file = try JSONSerialization.jsonObject(with: data) as? [String: Any],
            let rows = file["vectors"] as? [[String: Any]]
        else { throw CocoaError(.fileReadCorruptFile) }
        return rows.enumerated()
            .map { VectorRow(fields: $0.element, index: $0.offset) }
            .filter { kinds?.contains($0.kind) ?? true }
    }
}

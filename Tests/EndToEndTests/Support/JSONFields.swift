import Foundation
import TestSupport
import Testing

extension [String: Any] {
    /// A field that must be there.
    func text(_ key: String) throws -> String { try field(key) }

    /// A field that must be there with this type.
    func field<Field>(_ key: String, as type: Field.Type = Field.self) throws -> Field {
        guard let value = self[key] as? Field else { throw MissingField(name: key, present: keys.sorted()) }
        return value
    }

    /// An answer lacks a field, or it has another type.
    struct MissingField: Error {
        let name: String
        let present: [String]
    }

    /// Expects exactly these keys.
    /// - Parameter keys: the keys, with spaces between.
    func expectKeys(_ keys: String, at location: SourceLocation = #_sourceLocation) {
        let wanted = Set(keys.split(separator: " ").map(String.init))
        #expect(
            Set(self.keys) == wanted,
            "missing: \(wanted.subtracting(self.keys)), extra: \(Set(self.keys).subtracting(wanted))",
            sourceLocation: location)
    }
}

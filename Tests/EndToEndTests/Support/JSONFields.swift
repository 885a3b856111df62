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
}

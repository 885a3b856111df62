import FoundationEssentials
import GRDB

/// A row of the database, read without trusting it: a value of another type than the column's is an error.
struct StoredRow {
    /// What cannot be read: a description of the row, and the column.
    struct Unreadable: Error {
        let what: String
    }

    private let row: Row
    /// What the row is about, for an error.
    let subject: String

    init(_ row: Row, _ subject: String) {
        self.row = row
        self.subject = subject
    }

    /// An error about this row.
    func unreadable(_ column: String) -> Unreadable { Unreadable(what: "\(subject): \(column)") }

    /// A whole number.
    func integer(_ column: String) throws -> Int64 { try value(column) }

    /// A whole number, if there is one.
    func optionalInteger(_ column: String) throws -> Int64? { try optionalValue(column) }

    /// A count, from 0.
    func count(_ column: String) throws -> Int {
        guard let count = Int(exactly: try integer(column)), count >= 0 else { throw unreadable(column) }
        return count
    }

    /// A yes or no.
    func flag(_ column: String) throws -> Bool { try integer(column) != 0 }

    /// A text.
    func text(_ column: String) throws -> String { try value(column) }

    /// A text, if there is one.
    func optionalText(_ column: String) throws -> String? { try optionalValue(column) }

    /// Bytes.
    func bytes(_ column: String) throws -> [UInt8] { Array(try value(column) as Data) }

    /// Bytes, if there are any.
    func optionalBytes(_ column: String) throws -> [UInt8]? { try (optionalValue(column) as Data?).map(Array.init) }

    /// A time.
    func time(_ column: String) throws -> UnixTime { UnixTime(seconds: try integer(column)) }

    /// A time, if there is one.
    func optionalTime(_ column: String) throws -> UnixTime? {
        try optionalInteger(column).map(UnixTime.init(seconds:))
    }

    /// What a parser makes of a value; `nil` from the parser is an error.
    func decoded<Source, Value>(_ column: String, _ source: Source, _ read: (Source) -> Value?) throws -> Value {
        guard let value = read(source) else { throw unreadable(column) }
        return value
    }

    private func value<Value>(_ column: String) throws -> Value {
        guard let value: Value = try optionalValue(column) else { throw unreadable(column) }
        return value
    }

    private func optionalValue<Value>(_ column: String) throws -> Value? {
        guard let stored = row[column] as (any DatabaseValueConvertible)? else { return nil }
        guard let value = stored as? Value else { throw unreadable(column) }
        return value
    }
}

/// Values for statements.
enum StoredValue {
    /// A text that SQLite would not store unchanged.
    struct Unstorable: Error {}

    /// A text. SQLite would cut it off at a NUL, so such texts are refused.
    static func text(_ text: String) throws -> String {
        guard !text.utf8.contains(0) else { throw Unstorable() }
        return text
    }

    /// A text, if there is one.
    static func text(ifAny text: String?) throws -> String? { try text.map { try Self.text($0) } }
}

import Foundation

/// The handbook's table of readers.
public enum ReaderTable {
    /// Who drives a reader, as the table's third column says.
    public enum Driver: String, Sendable, CaseIterable {
        case pcsc = "PC/SC"
        case nfc = "libnfc"
        case both = "PC/SC or libnfc"
        case serial = "libnfc, serial"
        case nobody = "–"
    }

    /// A reader of one USB id.
    public struct Reader: Sendable, CustomStringConvertible {
        /// The name in the table, which several ids may share.
        public let name: String
        /// The maker's number, 4 hexadecimal digits.
        public let vendor: String
        /// The product's number, 4 hexadecimal digits.
        public let product: String
        /// Who drives it.
        public let driver: Driver

        /// `vendor:product name`.
        public var description: String { "\(vendor):\(product) \(name)" }
    }

    /// The table is not what it should be.
    public struct Malformed: Error {
        /// The row.
        public let row: String
    }

    /// Every USB id of the table; rows without one (the virtual reader) are left out.
    /// - Throws: `Malformed`.
    public static func readers() throws -> [Reader] {
        let page = Vectors.root.appendingPathComponent("Sources/TapKitCLI/Handbook.docc/Readers.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let lines = text.components(separatedBy: "\n")
        guard let head = lines.firstIndex(where: { $0.hasPrefix("| reader | USB id |") }) else {
            throw Malformed(row: "no table")
        }
        return try lines[(head + 2)...].prefix { $0.hasPrefix("|") }.flatMap(readers)
    }

    private static func readers(in row: String) throws -> [Reader] {
        let cells = row.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard cells.count == 6, let driver = Driver(rawValue: cells[3]) else { throw Malformed(row: row) }
        if cells[2] == "–" { return [] }
        let parts = cells[2].components(separatedBy: ":")
        guard parts.count == 2, isID(parts[0]) else { throw Malformed(row: row) }
        return try parts[1].components(separatedBy: ", ").map { product in
            guard isID(product) else { throw Malformed(row: row) }
            return Reader(name: cells[1], vendor: parts[0], product: product, driver: driver)
        }
    }

    private static func isID(_ text: String) -> Bool { text.wholeMatch(of: /[0-9a-f]{4}/) != nil }
}

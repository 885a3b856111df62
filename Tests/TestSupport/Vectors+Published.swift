import Foundation
import Testing

/// Vector files as their projects publish them.
extension Vectors {
    /// The contents of a file below `Vectors/`.
    public static func contents(_ path: String) throws -> Data {
        try Data(contentsOf: root.appendingPathComponent("Vectors/\(path)"))
    }

    /// A file that is one JSON object of lists.
    public static func object(_ path: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: contents(path)) as? [String: Any], "\(path)")
    }

    /// The rows of a file that is one JSON array of arrays; rows of one text are comments and left out.
    /// - Returns: the rows with their numbers in the file, comments counted, from 0.
    public static func arrays(_ path: String) throws -> [(number: Int, row: [Any])] {
        let rows = try #require(try JSONSerialization.jsonObject(with: contents(path)) as? [[Any]], "\(path)")
        return rows.enumerated().filter { $0.element.count > 1 }.map { ($0.offset, $0.element) }
    }

    /// The objects in a list of a published file, read like rows.
    public static func rows(_ list: Any?) throws -> [VectorRow] {
        try #require(list as? [[String: Any]]).enumerated().map { VectorRow(fields: $0.element, index: $0.offset) }
    }
}

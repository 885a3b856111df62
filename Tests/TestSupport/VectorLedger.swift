import Foundation
import Testing

/// What came of every case of a published vector file.
///
/// A case is followed, or it stands in `Vectors/not_followed.json` with the reason. Closing the books fails for a case that
/// is neither, for one that stands there and is followed, for one that stands there and does not exist, and when there are
/// more or fewer cases than expected.
public struct VectorLedger {
    /// Cases of a file that are not followed, and why.
    struct NotFollowed: Decodable {
        let file: LedgeredFile
        let reason: String
        let cases: [String]
    }

    /// The one list of them. One that names a file without books cannot be read, and no books are opened then.
    private static let list = Result {
        try JSONDecoder().decode([NotFollowed].self, from: Vectors.contents("not_followed.json"))
    }

    private let file: String
    private let reasons: [String: String]
    private var found: [(name: String, fault: String?)] = []

    /// The books of a file.
    public init(_ file: LedgeredFile) throws { try self.init(file, list: Self.list.get()) }

    init(_ file: LedgeredFile, list: [NotFollowed]) throws {
        self.file = file.path
        var reasons: [String: String] = [:]
        for entry in list where entry.file == file {
            try #require(!entry.reason.isEmpty, "\(file.path): cases are listed without a reason")
            for name in entry.cases {
                let former = reasons.updateValue(entry.reason, forKey: name)
                try #require(former == nil, "\(file.path): \(name) is listed twice")
            }
        }
        self.reasons = reasons
    }

    /// Whether a case is listed as not followed.
    public func isListed(_ name: String) -> Bool { reasons[name] != nil }

    /// Enters what came of a case.
    /// - Parameter fault: what came instead of what the file expects; `nil` when the case is followed.
    public mutating func enter(_ name: String, fault: String?) { found.append((name, fault)) }

    /// Enters a case by what it should give and what it gave.
    public mutating func enter<Value: Equatable>(_ name: String, _ value: Value, expected: Value) {
        enter(name, fault: value == expected ? nil : "\(value) instead of \(expected)")
    }

    /// Enters a case that is followed when nothing is thrown.
    public mutating func enter(_ name: String, _ body: () throws -> Void) {
        do {
            try body()
            enter(name, fault: nil)
        } catch { enter(name, fault: "\(error)") }
    }

    /// Closes the books.
    /// - Parameter count: how many cases there are.
    public func close(count: Int, at location: SourceLocation = #_sourceLocation) {
        #expect(found.count == count, "\(file): cases are lost or new", sourceLocation: location)
        let names = Set(found.map(\.name))
        #expect(names.count == found.count, "\(file): a case ran twice", sourceLocation: location)
        for (name, fault) in found {
            if let fault, !isListed(name) {
                Issue.record("\(file): \(name): \(fault)", sourceLocation: location)
            } else if fault == nil, let reason = reasons[name] {
                Issue.record("\(file): \(name) is followed, but listed: \(reason)", sourceLocation: location)
            }
        }
        for name in Set(reasons.keys).subtracting(names).sorted() {
            Issue.record("\(file): there is no case \(name), which is listed", sourceLocation: location)
        }
    }
}

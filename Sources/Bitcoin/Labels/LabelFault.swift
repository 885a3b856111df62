/// Why a line is no label.
public enum LabelFault: Error, Hashable, Sendable {
    /// More bytes than `LabelFile.maximumLineLength`.
    case tooLong
    /// No JSON text, from this byte of the line on.
    case notJSON(offset: Int)
    /// JSON, but no object.
    case notObject
    /// A letter with more accents than any writing has: Swift takes the square of the time to compare such ones.
    case endlessLetter
    /// A field that every label has is missing: its name.
    case missing(String)
    /// A field that is text has another value: its name.
    case notText(String)
    /// The same field twice: its name.
    case repeated(String)
    /// `spendable` is neither true nor false.
    case spendable
    /// The reference is not what the type asks for.
    case reference
}

/// Why a file holds no labels.
public enum LabelFileError: Error, Hashable, Sendable {
    /// More bytes than `LabelFile.maximumSize`.
    case tooLarge(limit: Int)
    /// More lines than `LabelFile.maximumLineCount`.
    case tooManyLines(limit: Int)
    /// A line that is no label; lines count from 1.
    case line(Int, LabelFault)
}

extension LabelFault: CustomStringConvertible {
    /// What is wrong, for people. Holds none of the line's contents.
    public var description: String {
        switch self {
        case .tooLong: "is longer than \(LabelFile.maximumLineLength) bytes"
        case .notJSON(let offset): "is no JSON from byte \(offset) on"
        case .notObject: "is no JSON object"
        case .endlessLetter: "has a letter that has accents without end"
        case .missing(let name): "has no \(name)"
        case .notText(let name): "has a \(name) that is no text"
        case .repeated: "has the same field twice"
        case .spendable: "has a spendable that is neither true nor false"
        case .reference: "has a ref that its type does not allow"
        }
    }
}

extension LabelFileError: CustomStringConvertible {
    /// What is wrong and where, for people.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "the label file is larger than \(limit) bytes"
        case .tooManyLines(let limit): "the label file has more than \(limit) lines"
        case .line(let number, let fault): "line \(number) \(fault)"
        }
    }
}

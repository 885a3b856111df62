import ByteCodec

/// Why a line is not a label.
public enum LabelFault: Error, Hashable, Sendable {
    /// More bytes than `LabelFile.maximumLineLength`.
    case tooLong
    /// Not JSON, from this byte of the line on.
    case notJSON(offset: Int)
    /// JSON, but not an object.
    case notObject
    /// Lists and objects nested deeper than `LabelFile.maximumDepth`.
    case tooDeep
    /// A character with endless combining marks, which Swift compares in quadratic time.
    case endlessLetter
    /// A field that every label has is missing: its name.
    case missing(String)
    /// A text field has a value of another type: its name.
    case notText(String)
    /// The same field twice: its name.
    case repeated(String)
    /// `spendable` is neither true nor false.
    case spendable
    /// The reference does not fit the type.
    case reference
}

/// Why a file is not a list of labels.
public enum LabelFileError: Error, Hashable, Sendable {
    /// More bytes than `LabelFile.maximumSize`.
    case tooLarge(limit: Int)
    /// More lines than `LabelFile.maximumLineCount`.
    case tooManyLines(limit: Int)
    /// A line that is not a label; lines count from 1.
    case line(Int, LabelFault)
}

extension LabelFault: CustomStringConvertible {
    /// What is wrong, for people. Contains nothing from the line.
    public var description: String {
        switch self {
        case .tooLong: "is longer than \(LabelFile.maximumLineLength) bytes"
        case .notJSON(let offset): "is not JSON from byte \(offset) on"
        case .notObject: "is not a JSON object"
        case .tooDeep: "has more than \(LabelFile.maximumDepth) levels of lists and objects"
        case .endlessLetter: "has a character with more than \(Character.maximumMarkCount) accents"
        case .missing(let name): "has no \(name)"
        case .notText(let name): "has a \(name) that is not text"
        case .repeated: "has the same field twice"
        case .spendable: "has a spendable that is neither true nor false"
        case .reference: "has a ref that does not fit its type"
        }
    }
}

extension LabelFileError: CustomStringConvertible {
    /// What is wrong, and where, for people.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "the label file is larger than \(limit) bytes"
        case .tooManyLines(let limit): "the label file has more than \(limit) lines"
        case .line(let number, let fault): "line \(number) \(fault)"
        }
    }
}

@testable import TapSimulator

/// Where the parts of an answer stand in its bytes, for lies that alter one of them and tests that alter every one.
///
/// All ranges count from the answer's first byte. The status word is no part of it, but may stand behind.
public struct AnswerAnatomy: Sendable, Equatable {
    /// One pair of the answer's map.
    public struct Field: Sendable, Equatable {
        /// The key's text.
        public let name: String
        /// The key and the value.
        public let pair: Range<Int>
        /// The key with its head.
        public let key: Range<Int>
        /// The value with its head.
        public let value: Range<Int>
        /// What the value holds: the bytes or the text without their head; of other values, the whole value.
        public let content: Range<Int>
    }

    /// The whole map.
    public let map: Range<Int>
    /// The map's head.
    public let head: Range<Int>
    /// The pairs, in order.
    public let fields: [Field]

    /// Takes an answer apart.
    /// - Parameter answer: a CBOR map with text keys and of definite length, with or without a status word behind it.
    /// - Returns: `nil` for anything else.
    public init?(_ answer: [UInt8]) {
        guard case .complete(let end) = CBORExtent(of: answer), let initial = answer.first, initial >> 5 == 5,
            let (head, count) = Self.head(of: answer, at: 0)
        else { return nil }
        var fields: [Field] = []
        var position = head
        while UInt64(fields.count) < count {
            guard position < end, answer[position] >> 5 == 3,
                case .complete(let valueStart) = CBORExtent(of: answer, from: position),
                let name = Self.content(of: answer, at: position, end: valueStart),
                case .complete(let next) = CBORExtent(of: answer, from: valueStart)
            else { return nil }
            let content = Self.content(of: answer, at: valueStart, end: next) ?? valueStart..<next
            fields.append(
                Field(
                    name: String(decoding: answer[name], as: UTF8.self), pair: position..<next,
                    key: position..<valueStart, value: valueStart..<next, content: content))
            position = next
        }
        map = 0..<end
        self.head = 0..<head
        self.fields = fields
    }

    /// The first field of a name.
    public func field(_ name: String) -> Field? { fields.first { $0.name == name } }

    /// The field that the byte at an offset belongs to; `nil` for the map's head and what is behind the map.
    public func field(at offset: Int) -> Field? { fields.first { $0.pair.contains(offset) } }

    /// Where a string's content stands; `nil` for other items.
    private static func content(of answer: [UInt8], at start: Int, end: Int) -> Range<Int>? {
        guard [2, 3].contains(answer[start] >> 5), let (head, _) = head(of: answer, at: start), head <= end else {
            return nil
        }
        return head..<end
    }

    /// Where a head of definite length ends, and its argument.
    private static func head(of answer: [UInt8], at start: Int) -> (end: Int, argument: UInt64)? {
        let information = answer[start] & 31
        guard information < 28 else { return nil }
        let width = information < 24 ? 0 : 1 << Int(information - 24)
        let end = start + 1 + width
        guard end <= answer.count else { return nil }
        let argument = answer[(start + 1)..<end].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (end, width == 0 ? UInt64(information) : argument)
    }
}

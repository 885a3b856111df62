import ByteCodec

@testable import TapSimulator

/// Lies about the fields of an answer. The rest of the answer keeps its bytes.
extension Lie {
    /// Another value in place of a field's.
    public static func set(_ name: String, _ value: CBORValue) -> Lie {
        field("\(name) replaced", name) { data, field, _ in
            data.replacing(field.value, with: CBOREncoder.encode(value))
        }
    }

    /// What a function makes of a field's value; `nil` removes the field.
    public static func change(_ name: String, _ change: @escaping @Sendable (CBORValue) -> CBORValue?) -> Lie {
        data("\(name) changed") { data in
            guard let anatomy = AnswerAnatomy(data), let field = anatomy.field(name),
                let value = try? CBORDecoder.decode(Array(data[field.value]))
            else { return data }
            guard let changed = change(value) else { return data.without(field, of: anatomy) }
            return data.replacing(field.value, with: CBOREncoder.encode(changed))
        }
    }

    /// A field less.
    public static func remove(_ name: String) -> Lie {
        field("\(name) removed", name) { $0.without($1, of: $2) }
    }

    /// A field more, behind the others; also one that is there already.
    public static func add(_ name: String, _ value: CBORValue) -> Lie {
        data("\(name) added") { data in
            guard let anatomy = AnswerAnatomy(data) else { return data }
            let pair = CBOREncoder.encode(.text(name)) + CBOREncoder.encode(value)
            return data.replacing(anatomy.map.upperBound..<anatomy.map.upperBound, with: pair)
                .withCount(anatomy.fields.count + 1, of: anatomy)
        }
    }

    /// Another name for a field.
    public static func rename(_ name: String, to other: String) -> Lie {
        field("\(name) called \(other)", name) { data, field, _ in
            data.replacing(field.key, with: CBOREncoder.encode(.text(other)))
        }
    }

    /// A field twice, the second time with this value; `nil`: with the same.
    public static func duplicate(_ name: String, as value: CBORValue? = nil) -> Lie {
        field("\(name) twice", name) { data, field, anatomy in
            let second = value.map { CBOREncoder.encode($0) } ?? Array(data[field.value])
            return data.replacing(anatomy.map.upperBound..<anatomy.map.upperBound, with: data[field.key] + second)
                .withCount(anatomy.fields.count + 1, of: anatomy)
        }
    }

    /// The values of two fields, exchanged.
    public static func swap(_ name: String, _ other: String) -> Lie {
        data("\(name) and \(other) exchanged") { data in
            guard let anatomy = AnswerAnatomy(data), let one = anatomy.field(name), let two = anatomy.field(other)
            else {
                return data
            }
            let (first, last) = one.value.lowerBound < two.value.lowerBound ? (one, two) : (two, one)
            return data.replacing(last.value, with: data[first.value])
                .replacing(first.value, with: data[last.value])
        }
    }

    /// The fields in the opposite order, which no reader may mind.
    public static let reverse = data("fields in the opposite order") { data in
        guard let anatomy = AnswerAnatomy(data) else { return data }
        let pairs = anatomy.fields.reversed().flatMap { data[$0.pair] }
        return data.replacing(anatomy.head.upperBound..<anatomy.map.upperBound, with: pairs)
    }

    /// A field's content as another type: bytes as text of hexadecimal digits and the other way round, numbers as
    /// text, and so on, as far as the type can hold it at all; otherwise something of that type.
    public static func retype(_ name: String, as type: ValueType) -> Lie {
        change(name) { type.value(like: $0) }
    }

    /// The types that a field may be changed to.
    public enum ValueType: String, Sendable, CaseIterable {
        /// Major type 0.
        case unsigned
        /// Major type 1.
        case negative
        /// Major type 2.
        case bytes
        /// Major type 3.
        case text
        /// Major type 4: the value in an array of its own.
        case array
        /// Major type 5: the value in a map of its own.
        case map
        /// Simple value 21.
        case bool
        /// Simple value 22.
        case null
        /// Major type 7: a number as a floating point number.
        case float
        /// Major type 6: the value behind a tag.
        case tagged

        func value(like value: CBORValue) -> CBORValue {
            switch self {
            case .unsigned: .unsigned(Self.number(value))
            case .negative: .negative(offset: Self.number(value))
            case .bytes: .bytes(Self.content(value))
            case .text: .text(Self.words(value))
            case .array: .array([value])
            case .map: .map(["value": value])
            case .bool: .bool(value != .bool(true))
            case .null: .null
            case .float: .other([0xFB] + Self.bigEndian(Double(Self.number(value)).bitPattern))
            case .tagged: .other([0xC2] + CBOREncoder.encode(value))
            }
        }

        private static func number(_ value: CBORValue) -> UInt64 {
            switch value {
            case .unsigned(let number), .negative(let number): number
            case .bool(true): 1
            case .bytes(let content): content.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            default: 0
            }
        }

        private static func content(_ value: CBORValue) -> [UInt8] {
            switch value {
            case .bytes(let content): content
            case .text(let text): Array(text.utf8)
            default: bigEndian(number(value))
            }
        }

        private static func words(_ value: CBORValue) -> String {
            switch value {
            case .text(let text): text
            case .bytes(let content): Hex.encode(content)
            default: String(number(value))
            }
        }

        private static func bigEndian(_ number: UInt64) -> [UInt8] {
            withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }
    }
}

extension [UInt8] {
    /// The same bytes with others in place of a range.
    func replacing(_ range: Range<Int>, with bytes: some Collection<UInt8>) -> Self {
        guard range.upperBound <= count else { return self }
        var result = self
        result.replaceSubrange(range, with: bytes)
        return result
    }

    /// The same map without a field.
    fileprivate func without(_ field: AnswerAnatomy.Field, of anatomy: AnswerAnatomy) -> Self {
        replacing(field.pair, with: []).withCount(anatomy.fields.count - 1, of: anatomy)
    }

    /// The same map with another count of pairs in its head.
    fileprivate func withCount(_ count: Int, of anatomy: AnswerAnatomy) -> Self {
        let head = count < 24 ? [0xA0 | UInt8(count)] : [0xB8, UInt8(truncatingIfNeeded: count)]
        return replacing(anatomy.head, with: head)
    }
}

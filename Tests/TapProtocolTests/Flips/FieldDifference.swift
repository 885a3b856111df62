import ByteCodec

/// The fields in which two answers differ.
enum FieldDifference {
    /// The names of the fields that are missing from one answer or have another value in it; `everything` when either
    /// cannot be read.
    static func of(_ one: [UInt8], _ other: [UInt8]) -> Set<String> {
        guard case .map(let before)? = try? CBORDecoder.decode(one.dropLast(2)),
            case .map(let after)? = try? CBORDecoder.decode(other.dropLast(2))
        else { return ["everything"] }
        let names = Set((before.pairs + after.pairs).map(\.key))
        return names.filter { before[$0] != after[$0] }
    }
}

import ByteCodec
import Foundation
import TestSupport

/// Whether a decoded value is what a vector row describes, with `t` naming the type.
/// - Parameter encoding: the item's bytes, as far as they are known: what `.other` must have kept.
func isEqual(_ value: CBORValue, _ row: VectorRow, encoding: [UInt8]? = nil) -> Bool {
    let content = row.fields["v"]
    switch (row.fields["t"] as? String, value) {
    case ("int", .unsigned(let number)): return content as? String == String(number)
    case ("int", .negative(let offset)): return content as? String == String(-1 - Int128(offset))
    case ("bytes", .bytes(let bytes)): return content as? String == Hex.encode(bytes)
    case ("text", .text(let text)): return content as? String == text
    case ("bool", .bool(let flag)): return content as? Bool == flag
    case ("null", .null): return true
    case ("array", .array(let items)):
        guard let rows = content as? [[String: Any]], rows.count == items.count else { return false }
        return zip(items, rows).allSatisfy { isEqual($0, VectorRow(fields: $1, index: row.index)) }
    case ("map", .map(let map)):
        guard let pairs = content as? [[[String: Any]]], pairs.count == map.pairs.count else { return false }
        return zip(map.pairs, pairs).allSatisfy { pair, rows in
            rows.count == 2 && isEqual(.text(pair.key), VectorRow(fields: rows[0], index: row.index))
                && isEqual(pair.value, VectorRow(fields: rows[1], index: row.index))
        }
    case ("map", .other(let bytes)):
        // Kept as it is only when a key is no text.
        let pairs = content as? [[[String: Any]]] ?? []
        return pairs.contains { $0.first?["t"] as? String != "text" } && bytes == encoding ?? bytes
    case ("tag", .other(let bytes)), ("float", .other(let bytes)), ("simple", .other(let bytes)),
        ("undefined", .other(let bytes)):
        return bytes == encoding ?? bytes
    default: return false
    }
}

/// Whether a decoded value is what plain JSON describes; byte strings stand there in hexadecimal.
func isEqual(_ value: CBORValue, plain: Any) -> Bool {
    switch value {
    case .unsigned(let number): (plain as? NSNumber)?.uint64Value == number && plain as? String == nil
    case .bool(let flag): plain as? Bool == flag
    case .text(let text): plain as? String == text
    case .bytes(let bytes): plain as? String == Hex.encode(bytes)
    case .array(let items):
        (plain as? [Any]).map { $0.count == items.count && zip(items, $0).allSatisfy { isEqual($0, plain: $1) } }
            ?? false
    default: false
    }
}

/// The URI in an NDEF message, as tags store it: the first record, of the well-known type `U`.
///
/// Spec: NFC Forum, NDEF 1.0, section 3.2; URI Record Type Definition 1.0, section 3.2.
enum NDEFMessage {
    /// The prefixes that a record may abbreviate, by number; only those with web schemes are accepted.
    private static let prefixes = ["", "http://www.", "https://www.", "http://", "https://"]

    private enum Flag {
        static let begin: UInt8 = 0x80
        static let chunk: UInt8 = 0x20
        static let short: UInt8 = 0x10
        static let identifier: UInt8 = 0x08
        static let type: UInt8 = 0x07
    }

    /// The URI; `nil` if the first record is truncated, chunked, of another type, or not printable ASCII.
    static func uri(_ message: [UInt8]) -> String? {
        var rest = message[...]
        guard let flags = rest.popFirst(), flags & Flag.begin != 0, flags & Flag.chunk == 0, flags & Flag.type == 1,
            let typeLength = rest.popFirst()
        else { return nil }
        var length = 0
        for _ in 0..<(flags & Flag.short != 0 ? 1 : 4) {
            guard let byte = rest.popFirst() else { return nil }
            length = length << 8 | Int(byte)
        }
        var identifierLength = 0
        if flags & Flag.identifier != 0 {
            guard let byte = rest.popFirst() else { return nil }
            identifierLength = Int(byte)
        }
        guard rest.count >= Int(typeLength) + identifierLength + length,
            rest.prefix(Int(typeLength)).elementsEqual([UInt8(ascii: "U")])
        else { return nil }
        var payload = rest.dropFirst(Int(typeLength) + identifierLength).prefix(length)
        guard let number = payload.popFirst(), Int(number) < prefixes.count, !payload.isEmpty,
            payload.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return prefixes[Int(number)] + String(decoding: payload, as: UTF8.self)
    }
}

import ByteCodec

@testable import Bitcoin

/// Expressions of keys in hexadecimal; in tapscript, of their x coordinates.
extension Miniscript<[UInt8]> {
    init(_ text: String, in context: MiniscriptContext = .p2wsh) throws(MiniscriptError) {
        try self.init(parsing: text[...], in: context) { key throws(MiniscriptError) in
            guard let bytes = try? Hex.decode(key) else { throw .key(.encoding) }
            let compressed = context == .tapscript && bytes.count == 32 ? [2] + bytes : bytes
            guard compressed.count == 33, PublicKey.isValidEncoding(compressed) else { throw .key(.encoding) }
            return context == .tapscript ? Array(compressed.dropFirst()) : compressed
        }
    }

    var written: String { text { Hex.encode($0) } }
}

import ByteCodec

@testable import Bitcoin

/// Expressions of keys in hexadecimal.
extension Miniscript<[UInt8]> {
    init(_ text: String) throws(MiniscriptError) {
        try self.init(parsing: text[...]) { key throws(MiniscriptError) in
            guard let bytes = try? Hex.decode(key), bytes.count == 33, PublicKey.isValidEncoding(bytes) else {
                throw .key(.encoding)
            }
            return bytes
        }
    }

    var written: String { text { Hex.encode($0) } }
}

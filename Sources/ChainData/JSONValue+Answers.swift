import Bitcoin
import ByteCodec

/// Reading what servers answer: whatever is not as it must be is `.malformed`, with the field's name.
extension JSONValue {
    /// How much of an answer is read; how many bytes it has is up to the connection.
    private static let bounds = JSONBounds(length: .max, valueCount: 2_000_000)

    /// Reads an answer.
    init(answer bytes: [UInt8]) throws(ChainError) {
        let bounds = Self.bounds
        do { self = try JSONReader.value(bytes, within: bounds) } catch {
            switch error.reason {
            case .syntax, .noObject: throw .malformed("no JSON at offset \(error.offset)")
            case .length: throw .tooLarge(limit: bounds.length)
            case .depth: throw .malformed("JSON deeper than \(bounds.depth)")
            case .endlessLetter: throw .malformed("JSON with a letter that has accents without end")
            case .keyLength: throw .malformed("JSON with a key longer than \(bounds.keyLength) bytes")
            case .valueCount: throw .tooLarge(limit: bounds.valueCount, of: .values)
            case .repeatedKey: throw .malformed("JSON with the same key twice")
            }
        }
    }

    func required(_ key: String) throws(ChainError) -> JSONValue {
        guard let value = self[key] else { throw .malformed("\(key) is missing") }
        return value
    }

    func elements(_ what: String) throws(ChainError) -> [JSONValue] {
        guard let array else { throw .malformed("\(what) is no list") }
        return array
    }

    func text(_ key: String) throws(ChainError) -> String {
        guard let text = try required(key).string else { throw .malformed("\(key) is no text") }
        return text
    }

    func transactionID(_ key: String) throws(ChainError) -> TransactionID {
        guard let id = TransactionID(parsing: try text(key)) else { throw .malformed("\(key) is no transaction id") }
        return id
    }

    /// The number of an output.
    func outputIndex(_ key: String) throws(ChainError) -> UInt32 {
        guard let integer = try required(key).integer, let index = UInt32(exactly: integer) else {
            throw .malformed("\(key) is no output's number")
        }
        return index
    }

    /// A height of a block, written as an integer; 0…500 000 000.
    func height(_ key: String) throws(ChainError) -> Int {
        guard let integer = try required(key).integer, let height = Self.height(integer) else {
            throw .malformed("\(key) is no height")
        }
        return height
    }

    /// A height that can be: below 500 000 000, where lock times become times.
    static func height(_ integer: Int64) -> Int? { (0..<500_000_000).contains(integer) ? Int(integer) : nil }

    /// Money as an integer of satoshis.
    func satoshis(_ key: String) throws(ChainError) -> Amount {
        guard let integer = try required(key).integer, let amount = Amount(satoshis: integer) else {
            throw .malformed("\(key) is no amount in satoshis")
        }
        return amount
    }

    /// Money as a decimal number of bitcoin.
    func bitcoin(_ key: String) throws(ChainError) -> Amount {
        guard let scaled = try required(key).number?.scaled(byPowerOfTen: 8), let amount = Amount(satoshis: scaled)
        else {
            throw .malformed("\(key) is no amount in bitcoin")
        }
        return amount
    }

    /// Bytes as hexadecimal text.
    func hex(_ what: String) throws(ChainError) -> [UInt8] {
        guard let string, let bytes = try? Hex.decode(string) else {
            throw .malformed("\(what) is no hexadecimal text")
        }
        return bytes
    }

    /// A fee rate as a decimal number: bitcoin for 1 000 virtual bytes with `decimals` 8, sat/vB with 3. Rounded up.
    func satoshisPerKiloVirtualByte(_ what: String, decimals: Int = 8) throws(ChainError) -> Int64 {
        guard let rate = number?.scaled(byPowerOfTen: decimals, .roundedUp) else {
            throw .malformed("\(what) is no fee rate")
        }
        return rate
    }
}

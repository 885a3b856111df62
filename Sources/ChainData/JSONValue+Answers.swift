import Bitcoin
import ByteCodec

/// Reading servers' answers: anything invalid is `.malformed`, with the field's name.
extension JSONValue {
    /// Limits for answers; the connection limits the number of bytes.
    private static let bounds = JSONBounds(length: .max, valueCount: 2_000_000)

    /// Reads an answer.
    init(answer bytes: [UInt8]) throws(ChainError) {
        let bounds = Self.bounds
        do { self = try JSONReader.value(bytes, within: bounds) } catch {
            switch error.reason {
            case .syntax, .noObject: throw .malformed("not JSON at offset \(error.offset)")
            case .length: throw .tooLarge(limit: bounds.length)
            case .depth: throw .malformed("JSON deeper than \(bounds.depth)")
            case .endlessLetter:
                throw .malformed("JSON with a character with more than \(Character.maximumMarkCount) accents")
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
        guard let array else { throw .malformed("\(what) is not a list") }
        return array
    }

    func text(_ key: String) throws(ChainError) -> String {
        guard let text = try required(key).string else { throw .malformed("\(key) is not text") }
        return text
    }

    func transactionID(_ key: String) throws(ChainError) -> TransactionID {
        guard let id = TransactionID(parsing: try text(key)) else { throw .malformed("\(key) is not a transaction id") }
        return id
    }

    /// The index of an output.
    func outputIndex(_ key: String) throws(ChainError) -> UInt32 {
        guard let integer = try required(key).integer, let index = UInt32(exactly: integer) else {
            throw .malformed("\(key) is not an output index")
        }
        return index
    }

    /// A block height, written as an integer; 0…500 000 000.
    func height(_ key: String) throws(ChainError) -> Int {
        guard let integer = try required(key).integer, let height = Self.height(integer) else {
            throw .malformed("\(key) is not a height")
        }
        return height
    }

    /// A possible height: below 500 000 000, from where lock times are times.
    static func height(_ integer: Int64) -> Int? { (0..<500_000_000).contains(integer) ? Int(integer) : nil }

    /// An amount as an integer of satoshis.
    func satoshis(_ key: String) throws(ChainError) -> Amount {
        guard let integer = try required(key).integer, let amount = Amount(satoshis: integer) else {
            throw .malformed("\(key) is not an amount in satoshis")
        }
        return amount
    }

    /// An amount as a decimal number of bitcoin.
    func bitcoin(_ key: String) throws(ChainError) -> Amount {
        guard let scaled = try required(key).number?.scaled(byPowerOfTen: 8), let amount = Amount(satoshis: scaled)
        else {
            throw .malformed("\(key) is not an amount in bitcoin")
        }
        return amount
    }

    /// Bytes as hexadecimal text.
    func hex(_ what: String) throws(ChainError) -> [UInt8] {
        guard let string, let bytes = try? Hex.decode(string) else {
            throw .malformed("\(what) is not hexadecimal text")
        }
        return bytes
    }

    /// A fee rate as a decimal number: bitcoin per 1 000 virtual bytes with `decimals` 8, sat/vB with 3. Rounded up.
    func satoshisPerKiloVirtualByte(_ what: String, decimals: Int = 8) throws(ChainError) -> Int64 {
        guard let rate = number?.scaled(byPowerOfTen: decimals, .roundedUp) else {
            throw .malformed("\(what) is not a fee rate")
        }
        return rate
    }
}

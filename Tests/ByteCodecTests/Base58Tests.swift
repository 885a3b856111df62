import ByteCodec
import TestSupport
import Testing

@Suite struct Base58Tests {
    @Test func everyRowIsHere() throws {
        let rows = try Vectors.load("bitcoin-core/base58.json")
        #expect(rows.countsByKind == ["encode": 24, "invalid": 18, "check": 6, "check_invalid": 10])
    }

    @Test func encodesAndDecodesAsBitcoinCore() throws {
        for row in try Vectors.load("bitcoin-core/base58.json", kinds: ["encode"]) {
            #expect(Base58.encode(try row.bytes("hex")) == (try row.text("base58")), "\(row.testDescription)")
            #expect(
                try Base58.decode(try row.text("base58"), limit: 1000) == row.bytes("hex"), "\(row.testDescription)")
        }
    }

    @Test func refusesCharactersOutsideTheAlphabet() throws {
        for row in try Vectors.load("bitcoin-core/base58.json", kinds: ["invalid"]) {
            let error = #expect(throws: Base58.DecodingError.self, "\(row.testDescription)") {
                try Base58.decode(try row.text("base58"))
            }
            guard case .notADigit = error else {
                Issue.record("\(row.testDescription): \(String(describing: error))")
                continue
            }
        }
    }

    /// Eight digits are read at a time: the result is that of reading one by one, whatever the length, and however the text lies
    /// in memory.
    @Test func digitsAreWorthTheSameAlone() throws {
        let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)
        var generator = SeededGenerator()
        for length in 0...40 {
            let values = (0..<length).map { $0 < length % 3 ? 0 : Int.random(in: 0..<58, using: &generator) }
            let zeros = values.prefix { $0 == 0 }.count
            var number: [UInt8] = []
            for value in values {
                var carry = value
                for index in number.indices {
                    carry += Int(number[index]) * 58
                    number[index] = UInt8(carry & 0xFF)
                    carry >>= 8
                }
                if carry > 0 { number.append(UInt8(carry)) }
            }
            let expected: [UInt8] = Array(repeating: 0, count: zeros) + Array(number.reversed())
            let text = values.map { alphabet[$0] }
            #expect(try Base58.decode(utf8: text) == expected)
            #expect(try Base58.decode(utf8: text.lazy.map { $0 }) == expected)
        }
    }

    @Test func boundsTheLength() throws {
        #expect(try Base58.decode(String(repeating: "z", count: 256)).count == 188)
        #expect(throws: Base58.DecodingError.tooLong(limit: 256)) {
            try Base58.decode(String(repeating: "z", count: 257))
        }
        #expect(throws: Base58.DecodingError.tooLong(limit: 3)) { try Base58.decode("2222", limit: 3) }
    }
}

import Bitcoin
import ByteCodec

@testable import ChainData

/// JSON as servers send it, and the individual answers of the three backends.
enum JSONTarget: FuzzTarget {
    static let name = "json"
    /// The output may have escapes that the input did not have.
    private static let bounds = JSONBounds(length: .max, keyLength: .max, valueCount: .max)

    static func run(_ bytes: [UInt8]) throws {
        readAnswers(bytes)
        checkMembers(bytes)
        let value = try JSONReader.value(bytes, within: bounds)
        let written = value.serialized
        let again = required("what is written is read") { try JSONReader.value(written, within: bounds) }
        expectSame(again, value, "a value that is written is the same")
        expectSame(again.serialized, written, "a value is written in one way")
        checkNumbers(value)
    }

    /// An object's members are what the object contains, and each one's text is its value.
    private static func checkMembers(_ bytes: [UInt8]) {
        guard let members = try? JSONReader.members(bytes, within: bounds) else { return }
        for member in members {
            let value = required("a member's text is JSON") { try JSONReader.value(Array(member.text), within: bounds) }
            expectSame(value, member.value, "a member's text is its value")
        }
        guard let object = (try? JSONReader.value(bytes, within: bounds))?.object else { return }
        expectSame(object.count, members.count, "no member is lost")
        for member in members { expectSame(object[member.key], member.value, "a member is one of the object") }
    }

    /// A decimal number equals the same digits as an integer with an exponent.
    private static func checkNumbers(_ value: JSONValue) {
        switch value {
        case .number(let number):
            if let integer = number.integer {
                expectSame(number.scaled(byPowerOfTen: 0), integer, "an integer is its own value")
            }
            for decimals in [0, 3, 8] {
                guard let scaled = number.scaled(byPowerOfTen: decimals) else { continue }
                let same = JSONNumber(text: "\(scaled)e-\(decimals)")
                expectSame(same.scaled(byPowerOfTen: decimals), scaled, "an exponent moves the point")
                if let plain = naive(number.text, decimals) {
                    expectSame(scaled, plain, "the point stands where it stands")
                }
                expectSame(number.scaled(byPowerOfTen: decimals, .roundedUp), scaled, "what is exact is not rounded")
            }
        case .array(let values): for value in values { checkNumbers(value) }
        case .object(let members): for value in members.values { checkNumbers(value) }
        case .null, .bool, .string: break
        }
    }

    /// The value of a number without an exponent and with no more decimals than asked for, by shifting its digits.
    private static func naive(_ text: String, _ decimals: Int) -> Int64? {
        let parts = text.split(separator: ".")
        let fraction = parts.count == 2 ? parts[1] : ""
        guard !text.contains(where: { $0 == "e" || $0 == "E" }), fraction.count <= decimals else { return nil }
        return Int64(parts[0] + fraction + String(repeating: "0", count: decimals - fraction.count))
    }

    private static func readAnswers(_ bytes: [UInt8]) {
        if let hash = try? EsploraSource.blockHash(bytes) {
            expectSame(BlockHash(parsing: hash.description), hash, "a block's hash is written and read")
        }
        guard let answer = try? JSONValue(answer: bytes) else { return }
        if let tip = try? ElectrumSource.tip(answer) {
            expect((0..<500_000_000).contains(tip.height), "a height is one")
        }
        for key in ["value", "amount", "vout", "txid", "height", "hex", "feerate"] {
            if let amount = try? answer.satoshis(key) { expect(amount.satoshis >= 0, "money is not below nothing") }
            if let amount = try? answer.bitcoin(key) {
                expect((0...2_100_000_000_000_000).contains(amount.satoshis), "there is no more money than there is")
            }
            _ = try? answer.transactionID(key)
            _ = try? answer.outputIndex(key)
            _ = try? answer.height(key)
            if let text = answer[key] {
                _ = try? text.hex(key)
                if let rate = try? text.satoshisPerKiloVirtualByte(key) { _ = try? FeeRate.estimate(rate) }
            }
        }
        _ = try? CoreAnswer(answer)
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        let hash = String(repeating: "a5", count: 32)
        let header = String(repeating: "00", count: 80)
        return [
            "{\"hex\":\"\(header)\",\"height\":7}",
            "{\"result\":null,\"error\":{\"code\":-8,\"message\":\"no\"},\"id\":1}",
            "[{\"txid\":\"\(hash)\",\"vout\":1,\"value\":5000,\"status\":{\"confirmed\":true,\"block_height\":9}}]",
            "{\"txid\":\"\(hash)\",\"vout\":0,\"amount\":0.00012345,\"height\":101}",
            "{\"feerate\":1.2e-4,\"value\":1E3}",
            "[1,-0,2.50,1e308,0.1e-9,true,false,null,\"\\u00e9\\ud83d\\ude00\\n\",{\"a\":{\"b\":[]}}]", hash,
        ].map { Array($0.utf8) }
            + (try vectors.texts(in: "bips/bip329.json").filter { $0.hasPrefix("{") }.map { Array($0.utf8) })
    }
}

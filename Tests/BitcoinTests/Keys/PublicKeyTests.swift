import ByteCodec
import Testing

@testable import Bitcoin

@Suite struct PublicKeyTests {
    private static let x = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
    private static let y = "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"

    @Test func onlyCompressedPointsAreTaken() throws {
        #expect(throws: Never.self) { try PublicKey(Hex.decode("02" + Self.x)) }
        #expect(throws: KeyError.length(65)) { try PublicKey(Hex.decode("04" + Self.x + Self.y)) }
        #expect(throws: KeyError.length(0)) { try PublicKey([]) }
        for prefix in ["00", "01", "04", "05"] {
            #expect(throws: KeyError.notOnCurve) { try PublicKey(Hex.decode(prefix + Self.x)) }
        }
        // No point has this x; and an x beyond the field's prime.
        #expect(throws: KeyError.notOnCurve) {
            try PublicKey([2] + [UInt8](repeating: 0, count: 31) + [5])
        }
        #expect(throws: KeyError.notOnCurve) { try PublicKey([2] + [UInt8](repeating: 0xFF, count: 32)) }
    }

    @Test func encodingsAreChecked() throws {
        #expect(PublicKey.isValidEncoding(try Hex.decode("03" + Self.x)))
        #expect(PublicKey.isValidEncoding(try Hex.decode("04" + Self.x + Self.y)))
        // The hybrid form is no encoding that wallets write.
        #expect(!PublicKey.isValidEncoding(try Hex.decode("06" + Self.x + Self.y)))
        #expect(!PublicKey.isValidEncoding(try Hex.decode("04" + Self.x + Self.x)))
        #expect(!PublicKey.isValidEncoding(try Hex.decode("04" + Self.x)))
        #expect(!PublicKey.isValidEncoding([]))
    }
}

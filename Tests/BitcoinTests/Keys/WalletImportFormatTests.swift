import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct WalletImportFormatTests {
    @Test func keysGoBothWays() throws {
        let rows = try Vectors.load("bitcoin-core/key_io.json", kinds: ["wif"])
        #expect(rows.count == 20)
        for row in rows {
            let text = try row.text("string")
            let key = try WalletImportFormat(parsing: text)
            #expect(key.privateKey.secret.withBytes { Array($0) } == (try row.bytes("private_key")))
            #expect(key.isCompressed == (try row.flag("compressed")), "\(row.testDescription)")
            #expect(key.network == (try row.text("chain") == "main" ? .main : .test), "\(row.testDescription)")
            #expect(key.publicKeyBytes == (try row.bytes("public_key")), "\(row.testDescription)")
            #expect(key.text == text)
            #expect(throws: AddressError.self, "\(row.testDescription)") { try UncheckedAddress(parsing: text) }
        }
    }

    @Test func whatIsWrongIsNamed() throws {
        typealias Failure = WalletImportFormat.ParsingError
        let key = [UInt8](repeating: 1, count: 32)
        func parsing(_ payload: [UInt8]) throws(Failure) {
            _ = try WalletImportFormat(parsing: Base58Check.encode(payload))
        }
        #expect(throws: Never.self) { try parsing([0x80] + key) }
        #expect(throws: Failure.length(0)) { try parsing([]) }
        #expect(throws: Failure.length(0)) { try parsing([0x80]) }
        #expect(throws: Failure.length(31)) { try parsing([0x80] + key.dropLast()) }
        #expect(throws: Failure.length(34)) { try parsing([0x80] + key + [1, 1]) }
        #expect(throws: Failure.compressionFlag) { try parsing([0x80] + key + [0]) }
        #expect(throws: Failure.compressionFlag) { try parsing([0xEF] + key + [2]) }
        #expect(throws: Failure.unknownVersion(0x81)) { try parsing([0x81] + key + [1]) }
        #expect(throws: Failure.key(.outOfRange)) { try parsing([0x80] + [UInt8](repeating: 0, count: 32) + [1]) }
        #expect(throws: Failure.key(.outOfRange)) { try parsing([0xEF] + [UInt8](repeating: 0xFF, count: 32)) }
        #expect(throws: Failure.notBase58Check(.checksum)) {
            try WalletImportFormat(parsing: "5JuW2AMDYu4xVwRG9DZW18VbzQrGcd5RCgb99sS6ehJsNQXu5b8")
        }
    }
}

import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct PSBTFileFormTests {
    private static let bytes = Result { try PSBTVectors.row("combiner").psbtBytes() }

    @Test(arguments: PSBT.FileForm.allCases) func everyFormIsRecognizedAndWritten(form: PSBT.FileForm) throws {
        let content = try PSBT(serialized: Self.bytes.get()).encoded(as: form)
        let psbt = try PSBT(fileContent: content)
        #expect(psbt.fileForm == form)
        #expect(psbt.serialized() == (try Self.bytes.get()))
        #expect(psbt.encoded(as: psbt.fileForm) == content)
    }

    @Test func textMayHaveWhiteSpace() throws {
        let bytes = try Self.bytes.get()
        for (text, form) in [
            (Base64.encode(bytes), PSBT.FileForm.base64), (Hex.encode(bytes).uppercased(), .hexadecimal),
        ] {
            var wrapped = "\n \t"
            for (index, character) in text.enumerated() {
                wrapped += index % 64 == 63 ? "\(character)\r\n" : "\(character)"
            }
            let psbt = try PSBT(fileContent: Array((wrapped + "\n\n").utf8))
            #expect(psbt.serialized() == bytes)
            #expect(psbt.fileForm == form)
        }
    }

    @Test func nothingIsRefused() {
        #expect(throws: PSBTError.empty) { try PSBT(fileContent: []) }
        #expect(throws: PSBTError.empty) { try PSBT(fileContent: Array(" \r\n\t".utf8)) }
    }

    @Test func brokenBase64IsRefusedWithItsOffset() throws {
        let text = Base64.encode(try Self.bytes.get())
        var broken = Array(text.utf8)
        broken[100] = UInt8(ascii: "!")
        #expect(throws: PSBTError.base64(.notADigit(offset: 100))) { try PSBT(fileContent: broken) }
        #expect(throws: PSBTError.base64(.incomplete)) { try PSBT(fileContent: Array(text.utf8.dropLast())) }
        let row = try PSBTVectors.row("core-not-base64")
        #expect(throws: PSBTError.base64(.incomplete)) { try row.psbt() }
        #expect(try PSBTVectors.rows("invalid_base64").count == 1)
    }

    @Test func brokenHexadecimalIsRefusedWithItsOffset() throws {
        let text = Hex.encode(try Self.bytes.get())
        var broken = Array(text.utf8)
        broken[100] = UInt8(ascii: "g")
        #expect(throws: PSBTError.hexadecimal(.notADigit(offset: 100))) { try PSBT(fileContent: broken) }
        #expect(throws: PSBTError.hexadecimal(.oddLength(text.utf8.count - 1))) {
            try PSBT(fileContent: Array(text.utf8.dropLast()))
        }
    }

    @Test func otherThingsAreNoPSBT() throws {
        let network = try PSBTVectors.row("network-transaction").psbtBytes()
        let others: [[UInt8]] = [
            network, Array(Hex.encode(network).utf8), Array(Base64.encode(network).utf8), [0x70, 0x73, 0x62, 0x74],
            [0x70, 0x73, 0x62, 0x74, 0xFE, 0], Array("psbt".utf8), Array("deadbeef".utf8), [0xFF], [0],
        ]
        for other in others { #expect(throws: PSBTError.wrongMagic) { try PSBT(fileContent: other) } }
        #expect(throws: PSBTError.base64(.notADigit(offset: 0))) { try PSBT(fileContent: Array("{}".utf8)) }
    }

    @Test func theMagicInAnotherFormIsNotEnough() {
        #expect(throws: PSBTError.malformed(.global, .truncated(offset: 5, needed: 1))) {
            try PSBT(fileContent: Array("70736274ff".utf8))
        }
        #expect(throws: PSBTError.malformed(.global, .truncated(offset: 5, needed: 1))) {
            try PSBT(fileContent: Array("cHNidP8=".utf8))
        }
    }
}

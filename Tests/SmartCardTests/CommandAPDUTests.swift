import SmartCard
import Testing

@Suite struct CommandAPDUTests {
    /// The four cases of ISO 7816-4, section 5.1, in short form.
    @Test(
        arguments: [
            ([], nil, [0x80, 0x12, 0x34, 0x56]),
            ([], 1, [0x80, 0x12, 0x34, 0x56, 0x01]),
            ([], 256, [0x80, 0x12, 0x34, 0x56, 0x00]),
            ([0xAB], nil, [0x80, 0x12, 0x34, 0x56, 0x01, 0xAB]),
            ([0xAB, 0xCD], 255, [0x80, 0x12, 0x34, 0x56, 0x02, 0xAB, 0xCD, 0xFF]),
            ([0xAB, 0xCD], 256, [0x80, 0x12, 0x34, 0x56, 0x02, 0xAB, 0xCD, 0x00]),
        ] as [([UInt8], Int?, [UInt8])])
    func everyCaseIsEncoded(_ data: [UInt8], _ expectedLength: Int?, _ bytes: [UInt8]) throws {
        let command = try CommandAPDU(
            class: 0x80, instruction: 0x12, parameter1: 0x34, parameter2: 0x56, data: data,
            expectedLength: expectedLength)
        #expect(command.encoded == bytes)
    }

    @Test func theLongestCommandFits() throws {
        let data = [UInt8](repeating: 0x55, count: 255)
        let command = try CommandAPDU(
            class: 0, instruction: 0xCB, parameter1: 0, parameter2: 0, data: data, expectedLength: 256)
        #expect(command.encoded == [0, 0xCB, 0, 0, 0xFF] + data + [0])
    }

    @Test func aLongerOneIsRefused() {
        #expect(throws: CommandAPDU.FormatError.dataTooLong(256)) {
            try CommandAPDU(
                class: 0, instruction: 0xCB, parameter1: 0, parameter2: 0, data: [UInt8](repeating: 0, count: 256))
        }
        #expect(throws: CommandAPDU.FormatError.dataTooLong(300)) {
            try CommandAPDU.select(applicationIdentifier: [UInt8](repeating: 0, count: 300))
        }
    }

    @Test(arguments: [Int.min, -1, 0, 257, Int.max])
    func anImpossibleExpectedLengthIsRefused(_ length: Int) {
        #expect(throws: CommandAPDU.FormatError.badExpectedLength(length)) {
            try CommandAPDU(class: 0, instruction: 0xCB, parameter1: 0, parameter2: 0, expectedLength: length)
        }
    }

    @Test func selectNamesTheApplication() throws {
        let identifier: [UInt8] = [0xF0, 0x43, 0x6F, 0x69, 0x6E]
        #expect(
            try CommandAPDU.select(applicationIdentifier: identifier).encoded == [0, 0xA4, 4, 0, 5] + identifier)
    }
}

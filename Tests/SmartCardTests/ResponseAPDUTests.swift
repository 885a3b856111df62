import SmartCard
import Testing

@Suite struct ResponseAPDUTests {
    @Test func theLastTwoBytesAreTheStatus() throws {
        let response = try #require(ResponseAPDU([1, 2, 3, 0x6A, 0x82]))
        #expect(response.data == [1, 2, 3])
        #expect(response.status == .fileNotFound)
        #expect(response.encoded == [1, 2, 3, 0x6A, 0x82])
    }

    @Test func aStatusAloneIsAnAnswer() throws {
        #expect(ResponseAPDU([0x90, 0x00]) == ResponseAPDU(data: [], status: .success))
    }

    @Test(arguments: [[], [0x90]] as [[UInt8]])
    func lessIsNoAnswer(_ bytes: [UInt8]) {
        #expect(ResponseAPDU(bytes) == nil)
    }

    @Test(arguments: [(0x9000, "9000"), (0x6D00, "6d00"), (0x0001, "0001"), (0xFFFF, "ffff")] as [(UInt16, String)])
    func statusWordsReadAsFourDigits(_ rawValue: UInt16, _ text: String) {
        let status = StatusWord(rawValue: rawValue)
        #expect("\(status)" == text)
        #expect(UInt16(status.first) << 8 | UInt16(status.second) == rawValue)
    }
}

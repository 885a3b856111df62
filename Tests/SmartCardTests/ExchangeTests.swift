import SmartCard
import Testing

/// `CardChannel.exchange`: what a card may ask for before its answer is complete.
@Suite struct ExchangeTests {
    private let command: CommandAPDU
    private let bytes: [UInt8] = [0x00, 0xCB, 0x00, 0x00, 0x01, 0xA0]

    init() throws {
        command = try CommandAPDU(class: 0, instruction: 0xCB, parameter1: 0, parameter2: 0, data: [0xA0])
    }

    @Test(arguments: [0x9000, 0x6D00, 0x6985, 0x6282, 0x6200] as [UInt16])
    func anyOtherStatusIsTheAnswer(_ status: UInt16) throws {
        let answer = ResponseAPDU(data: [1, 2], status: StatusWord(rawValue: status))
        let channel = ScriptedChannel([answer.encoded])
        #expect(try channel.exchange(command) == answer)
        #expect(channel.commands == [bytes])
    }

    @Test func moreIsFetchedUntilTheAnswerIsComplete() throws {
        let channel = ScriptedChannel([[1, 0x61, 0x02], [2, 3, 0x61, 0x00], [4, 0x90, 0x00]])
        #expect(try channel.exchange(command) == ResponseAPDU(data: [1, 2, 3, 4], status: .success))
        #expect(channel.commands == [bytes, [0, 0xC0, 0, 0, 0x02], [0, 0xC0, 0, 0, 0x00]])
    }

    @Test func anErrorWhileFetchingIsTheAnswer() throws {
        let channel = ScriptedChannel([[0x61, 0x02], [0x6F, 0x00]])
        #expect(try channel.exchange(command) == ResponseAPDU(data: [], status: StatusWord(rawValue: 0x6F00)))
    }

    @Test func aWrongExpectedLengthIsCorrected() throws {
        let channel = ScriptedChannel([[0x6C, 0x05], [1, 2, 3, 4, 5, 0x90, 0x00]])
        #expect(try channel.exchange(command).data == [1, 2, 3, 4, 5])
        #expect(channel.commands == [bytes, bytes + [0x05]])
    }

    @Test func aCorrectionReplacesTheOldLength() throws {
        let channel = ScriptedChannel([[0x6C, 0x00], [0x90, 0x00]])
        let command = try CommandAPDU(class: 0, instruction: 0xB0, parameter1: 0, parameter2: 0, expectedLength: 4)
        #expect(try channel.exchange(command).status == .success)
        #expect(channel.commands == [[0, 0xB0, 0, 0, 4], [0, 0xB0, 0, 0, 0]])
    }

    @Test func aCorrectionIsFollowedOnlyOnce() throws {
        let channel = ScriptedChannel([[0x6C, 0x05], [0x6C, 0x05], [0x90, 0x00]])
        #expect(try channel.exchange(command).status == StatusWord(rawValue: 0x6C05))
        #expect(channel.commands.count == 2)
    }

    /// An answer that was cut short may end in any two bytes. Sent again, the command would have its CVC hidden for a nonce
    /// that the card has used up, and the card would count a wrong try.
    @Test func besideDataThereIsNothingToCorrect() throws {
        let channel = ScriptedChannel([[0xA1, 0x63, 0x6C, 0x05], [0x90, 0x00]])
        let answer = ResponseAPDU(data: [0xA1, 0x63], status: StatusWord(rawValue: 0x6C05))
        #expect(try channel.exchange(command) == answer)
        #expect(channel.commands == [bytes])
    }

    @Test func aCorrectionWhileFetchingIsFollowed() throws {
        let channel = ScriptedChannel([[1, 0x61, 0x00], [0x6C, 0x02], [2, 3, 0x90, 0x00]])
        #expect(try channel.exchange(command) == ResponseAPDU(data: [1, 2, 3], status: .success))
        #expect(channel.commands.last == [0, 0xC0, 0, 0, 0x02])
    }

    @Test func theLongestAnswerIsTaken() throws {
        let part = [UInt8](repeating: 7, count: 256)
        let parts = [[0x61, 0x00]] + [[UInt8]](repeating: part + [0x61, 0x00], count: 255) + [part + [0x90, 0x00]]
        #expect(try ScriptedChannel(parts).exchange(command).data.count == 65_536)
    }

    @Test(arguments: [[0x61, 0x00], [7, 0x61, 0x00]] as [[UInt8]])
    func anAnswerWithoutEndIsRefused(_ part: [UInt8]) throws {
        let channel = ScriptedChannel([[UInt8]](repeating: part, count: 1000))
        let error = #expect(throws: ReaderError.self) { try channel.exchange(command) }
        #expect(error?.code == .transportFailed)
        #expect(channel.commands.count < 300)
    }

    @Test(arguments: [[[]], [[0x90]], [[1, 0x61, 0x01], [0x90]], [[0x6C, 0x01], []]] as [[[UInt8]]])
    func anAnswerWithoutStatusMeansTheCardIsLost(_ answers: [[UInt8]]) throws {
        let error = #expect(throws: ReaderError.self) { try ScriptedChannel(answers).exchange(command) }
        #expect(error?.code == .cardRemoved)
    }

    @Test func aLossWhileFetchingIsALoss() throws {
        let error = #expect(throws: ReaderError.self) { try ScriptedChannel([[1, 0x61, 0x01]]).exchange(command) }
        #expect(error == ReaderError(.cardRemoved, "The script is over."))
    }
}

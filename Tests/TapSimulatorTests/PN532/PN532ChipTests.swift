import Testing

@testable import TapSimulator

/// The chip's settings and its manners on the line.
@Suite struct PN532ChipTests {
    @Test func itSleepsUntilItIsWoken() throws {
        var bench = ChipBench(isAwake: false)
        bench.chip.receive(ChipReply.frame([0x02]), at: bench.now)
        #expect(bench.chip.takeOutput().isEmpty)
        bench.chip.receive(ChipReply.wakeUp + ChipReply.frame([0x14, 0x01]), at: bench.now)
        #expect(try bench.replies() == [.acknowledge, .response([0x15])])
        // Down again: the response still comes.
        #expect(try bench.send([0x16, 0xF0]) == [.response([0x17, 0x00])])
        bench.chip.receive(ChipReply.frame([0x02]), at: bench.now)
        #expect(bench.chip.takeOutput().isEmpty)
        bench.chip.receive(ChipReply.wakeUp, at: bench.now)
        #expect(try bench.send([0x02]) == [.response([0x03, 0x32, 0x01, 0x06, 0x07])])
    }

    @Test func whatADriverSendsFirst() throws {
        var bench = ChipBench()
        let echo = [0x00] + Array("libnfc".utf8)
        #expect(try bench.send([0x00] + echo) == [.response([0x01] + echo)])
        #expect(try bench.send([0x12, 0x14]) == [.response([0x13])])
        #expect(try bench.send([0x06, 0x63, 0x02, 0x63, 0x05]) == [.response([0x07, 0x80, 0x00])])
        #expect(try bench.send([0x08, 0x63, 0x02, 0x81, 0x63, 0x05, 0x40]) == [.response([0x09])])
        #expect(try bench.send([0x06, 0x63, 0x05, 0x63, 0x02]) == [.response([0x07, 0x40, 0x81])])
        #expect(try bench.send([0x32, 0x01, 0x00]) == [.response([0x33])])
        #expect(try bench.send([0x32, 0x05, 0x00, 0x01, 0x02]) == [.response([0x33])])
        #expect(try bench.send([0x10, 0x04]) == [.response([0x11])])
        #expect(try bench.send([0x04]) == [.response([0x05, 0x00, 0x00, 0x00, 0x00])])
    }

    @Test(
        arguments: [
            [0x99], [0x8C, 0x00], [0x06, 0x63], [0x08, 0x63, 0x02], [0x12], [0x14, 0x05], [0x14], [0x32],
            [0x32, 0x05, 0x01],
            [0x32, 0x77, 0x00], [0x4A, 0x00, 0x00], [0x4A, 0x03, 0x00], [0x4A, 0x01, 0x09], [0x4A, 0x01], [0x40],
            [0x00],
            [0x00, 0x05], [0x60, 0x01, 0x01], [0x60, 0x00, 0x01, 0x00], [0x44], [0x16], [0x10, 0x09], [0x54],
        ] as [[UInt8]])
    func whatItDoesNotKnowIsAnErrorFrame(command: [UInt8]) throws {
        var bench = ChipBench()
        #expect(try bench.send(command) == [.error])
        #expect(try bench.send([0x02]) == [.response([0x03, 0x32, 0x01, 0x06, 0x07])])
    }

    @Test func aFrameThatIsNoCommandIsAnErrorToo() throws {
        var bench = ChipBench()
        bench.chip.receive([0x00, 0x00, 0xFF, 0x02, 0xFE, 0xD5, 0x03, 0x28, 0x00], at: bench.now)
        #expect(try bench.replies() == [.acknowledge, .error])
    }

    @Test func aWrongChecksumIsNotAnswered() throws {
        var bench = ChipBench()
        var frame = ChipReply.frame([0x02])
        frame[7] ^= 1
        bench.chip.receive(frame, at: bench.now)
        #expect(try bench.replies().isEmpty)
        #expect(try bench.send([0x02]).count == 1)
    }

    @Test func aNegativeAcknowledgementFetchesTheLastResponseAgain() throws {
        var bench = ChipBench()
        _ = try bench.send([0x02])
        bench.chip.receive(PN532Frames.negativeAcknowledge, at: bench.now)
        #expect(try bench.replies() == [.response([0x03, 0x32, 0x01, 0x06, 0x07])])
        bench = ChipBench()
        bench.chip.receive(PN532Frames.negativeAcknowledge, at: bench.now)
        #expect(try bench.replies().isEmpty)
    }

    @Test func aFrameThatBreaksOffIsForgotten() throws {
        var bench = ChipBench()
        bench.chip.receive(ChipReply.frame([0x40, 0x01] + [UInt8](repeating: 0, count: 200)).prefix(20), at: bench.now)
        #expect(bench.chip.deadline != nil)
        // The next one is swallowed at first, and answered when the first is given up.
        bench.chip.receive(ChipReply.frame([0x02]), at: bench.now)
        #expect(bench.chip.takeOutput().isEmpty)
        bench.pass(PN532Chip.longestPause)
        #expect(try bench.replies() == [.acknowledge, .response([0x03, 0x32, 0x01, 0x06, 0x07])])
        #expect(bench.chip.deadline == nil)
    }
}

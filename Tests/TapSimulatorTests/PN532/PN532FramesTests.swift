import TestSupport
import Testing

@testable import TapSimulator

@Suite struct PN532FramesTests {
    private func messages(_ bytes: [UInt8]) -> [PN532Frames.Message] {
        var frames = PN532Frames()
        frames.append(bytes)
        var messages: [PN532Frames.Message] = []
        while let message = frames.next() { messages.append(message) }
        return messages
    }

    @Test func publishedFramesAreRead() {
        // What libnfc sends when it opens the port: wake-up, SAMConfiguration; and the bare frames of the manual.
        let opening: [UInt8] = [
            0x55, 0x55, 0x00, 0x00, 0x00, 0x00, 0x00, 0xFF, 0x03, 0xFD, 0xD4, 0x14, 0x01, 0x17, 0x00,
        ]
        #expect(messages(opening) == [.command([0x14, 0x01])])
        #expect(messages([0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]) == [.acknowledge])
        #expect(messages([0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00]) == [.negativeAcknowledge])
        #expect(messages([0x00, 0x00, 0xFF, 0x01, 0xFF, 0x7F, 0x81, 0x00]) == [.foreign])
        // GetFirmwareVersion, without preamble and postamble.
        #expect(messages([0x00, 0xFF, 0x02, 0xFE, 0xD4, 0x02, 0x2A]) == [.command([0x02])])
        #expect(messages([0x00, 0x00, 0xFF, 0x02, 0xFE, 0xD5, 0x03, 0x28, 0x00]) == [.foreign])
    }

    @Test func everyLengthGoesBothWays() throws {
        for count in 1...264 {
            let command = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) }
            #expect(messages(ChipReply.frame(command)) == [.command(command)], "\(count)")
            #expect(messages(PN532Frames.command(command)) == [.command(command)], "\(count)")
        }
        for count in 0...263 {
            let data = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 3 &+ count) }
            let frame = PN532Frames.response(0x41, data)
            #expect(try ChipReply.all(in: frame) == [.response([0x41] + data)], "\(count)")
            #expect(frame.count == (count + 2 > 255 ? count + 12 : count + 9))
        }
    }

    @Test func aLongFrameIsNoFrame() {
        #expect(messages(ChipReply.frame([UInt8](repeating: 1, count: 265))).isEmpty)
    }

    @Test func everyFlippedBitIsSeen() {
        for command in [[0x02], Array(repeating: 0x33, count: 260)] as [[UInt8]] {
            let good = ChipReply.frame(command)
            // Not the preamble and the postamble, which mean nothing.
            for place in 1..<(good.count - 1) {
                for bit in 0..<8 {
                    var bad = good
                    bad[place] ^= 1 << UInt8(bit)
                    #expect(
                        !messages(bad).contains { if case .command = $0 { true } else { false } }, "\(place) \(bit)")
                }
            }
        }
    }

    @Test func aBadFrameDoesNotHideTheNext() {
        var bad = ChipReply.frame([0x40, 0x01, 0x02])
        bad[8] ^= 1
        #expect(messages(bad + ChipReply.frame([0x02])) == [.command([0x02])])
        // A length that reaches over the next frame: given up, its inside is searched.
        var frames = PN532Frames()
        frames.append([0x00, 0x00, 0xFF, 0xF0, 0x10, 0xD4] + ChipReply.frame([0x02]))
        #expect(frames.next() == nil)
        #expect(frames.isPartial)
        frames.giveUp()
        #expect(frames.next() == .command([0x02]))
        #expect(!frames.isPartial)
    }

    /// Noise of bytes that frames are made of: never a trap, the same however it is cut into pieces, and behind it
    /// every good frame is found.
    @Test func noiseNeverTrapsAndNeverLasts() {
        var random = SeededGenerator()
        let common: [UInt8] = [0x00, 0x00, 0xFF, 0xFF, 0x01, 0xFE, 0x55, 0xD4, 0x02]
        let wanted: [UInt8] = [0x40, 0x01, 0x12, 0x34]
        for _ in 0..<3_000 {
            let noise: [UInt8] = (0..<Int(random.next() % 80)).map { _ in
                let number = random.next()
                return number & 0x100 == 0
                    ? UInt8(truncatingIfNeeded: number) : common[Int(number >> 16) % common.count]
            }
            // No frame that the noise begins is longer than all of these.
            let stream = noise + Array(repeatElement(ChipReply.frame(wanted), count: 40).joined())
            let whole = messages(stream)
            #expect(whole.last == .command(wanted), "\(noise)")
            #expect(whole.count >= 10, "\(noise)")

            var frames = PN532Frames()
            var pieces: [PN532Frames.Message] = []
            var rest = stream[...]
            while !rest.isEmpty {
                let count = Int(random.next() % 9) + 1
                frames.append(rest.prefix(count))
                rest = rest.dropFirst(count)
                while let message = frames.next() { pieces.append(message) }
            }
            #expect(pieces == whole, "\(noise)")

            frames = PN532Frames()
            frames.append(noise)
            while frames.next() != nil {}
            while frames.isPartial {
                frames.giveUp()
                while frames.next() != nil {}
            }
            frames.append(ChipReply.frame(wanted))
            #expect(frames.next() == .command(wanted), "\(noise)")
        }
    }
}

import Testing

@testable import TapSimulator

@Suite struct VirtualReaderFramesTests {
    @Test func readsMessagesHoweverTheyCome() {
        let stream: [UInt8] = [0, 1, 1, 0, 1, 4, 0, 5, 0, 0xA4, 4, 0, 0, 0, 1, 0, 0, 1, 2]
        let expected: [VirtualReaderFrames.Message] = [
            .powerOn, .answerToReset, .apdu([0, 0xA4, 4, 0, 0]), .powerOff, .reset,
        ]
        for size in 1...stream.count {
            var frames = VirtualReaderFrames()
            var messages: [VirtualReaderFrames.Message] = []
            for start in stride(from: 0, to: stream.count, by: size) {
                frames.append(stream[start..<min(start + size, stream.count)])
                while let message = frames.next() { messages.append(message) }
            }
            #expect(messages == expected, "pieces of \(size)")
        }
    }

    @Test func emptyAndUnknownMessagesMeanNothing() {
        var frames = VirtualReaderFrames()
        frames.append([0, 0, 0, 1, 3, 0, 1, 0xFF, 0, 2, 9, 9])
        #expect(frames.next() == .meaningless)
        #expect(frames.next() == .meaningless)
        #expect(frames.next() == .meaningless)
        #expect(frames.next() == .apdu([9, 9]))
        #expect(frames.next() == nil)
    }

    @Test func writesTheLengthBigEndian() {
        #expect(VirtualReaderFrames.encode([0x90, 0x00]) == [0, 2, 0x90, 0x00])
        #expect(VirtualReaderFrames.encode([UInt8](repeating: 1, count: 0x0102)).prefix(2) == [1, 2])
    }

    @Test(arguments: ["127.0.0.1:35963", "localhost:1", "127.9.9.9:65535"])
    func loopbackAddressesAreTaken(text: String) throws {
        let address = try VirtualReaderAddress(parsing: text)
        #expect(address.description.hasPrefix("127."))
        #expect(address.description.hasSuffix(text.drop { $0 != ":" }))
    }

    @Test(arguments: [
        "", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:-1", "0.0.0.0:35963",
        "192.168.1.1:35963", "128.0.0.1:35963", "::1:35963", "example.com:35963", "127.1:35963", ":35963",
    ])
    func otherAddressesAreRefused(text: String) {
        #expect { try VirtualReaderAddress(parsing: text) } throws: {
            ($0 as? SimulatedCardError)?.kind == .badAddress
        }
    }
}

import TestSupport
import Testing

@testable import TapProtocol

@Suite struct NDEFMessageTests {
    private static let rest = Array("getsatscard.com/start#u=S".utf8)

    private static func message(
        flags: UInt8 = 0xD1, type: [UInt8] = [0x55], prefix: UInt8 = 4, _ rest: [UInt8] = rest, identifier: [UInt8] = []
    ) -> [UInt8] {
        let count = rest.count + 1
        let length: [UInt8] =
            flags & 0x10 != 0 ? [UInt8(count)] : [0, 0, UInt8(count >> 8), UInt8(truncatingIfNeeded: count)]
        let identifierLength = flags & 0x08 != 0 ? [UInt8(identifier.count)] : []
        return [flags, UInt8(type.count)] + length + identifierLength + type + identifier + [prefix] + rest
    }

    @Test func linksAreRead() {
        let tail = "getsatscard.com/start#u=S"
        #expect(NDEFMessage.uri(Self.message()) == "https://" + tail)
        #expect(NDEFMessage.uri(Self.message(flags: 0xC1)) == "https://" + tail)
        #expect(NDEFMessage.uri(Self.message(flags: 0xD9, identifier: [1, 2])) == "https://" + tail)
        #expect(NDEFMessage.uri(Self.message() + [0, 1, 2]) == "https://" + tail)
        for (number, prefix) in ["", "http://www.", "https://www.", "http://", "https://"].enumerated() {
            #expect(NDEFMessage.uri(Self.message(prefix: UInt8(number))) == prefix + tail)
        }
    }

    @Test func whatIsNoLinkIsRefused() {
        #expect(NDEFMessage.uri([]) == nil)
        #expect(NDEFMessage.uri(Self.message(flags: 0x51)) == nil, "not the first record")
        #expect(NDEFMessage.uri(Self.message(flags: 0xF1)) == nil, "in chunks")
        #expect(NDEFMessage.uri(Self.message(flags: 0xD2)) == nil, "another kind of type")
        #expect(NDEFMessage.uri(Self.message(type: [0x54])) == nil, "a text")
        #expect(NDEFMessage.uri(Self.message(type: [0x53, 0x70])) == nil, "a poster")
        #expect(NDEFMessage.uri(Self.message(prefix: 5)) == nil, "a telephone number")
        #expect(NDEFMessage.uri(Self.message([])) == nil, "empty")
        #expect(NDEFMessage.uri(Self.message([0x1B, 0x5B])) == nil, "control characters")
        #expect(NDEFMessage.uri([0xC1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0x55, 4]) == nil, "a length beyond the end")
        for count in 0..<Self.message().count { #expect(NDEFMessage.uri(Array(Self.message().prefix(count))) == nil) }
    }

    @Test func nothingTrapsOnNoise() {
        var random = SeededGenerator()
        for _ in 0..<20_000 {
            var bytes = Self.message()
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            _ = NDEFMessage.uri(Array(bytes.prefix(.random(in: 0...bytes.count, using: &random))))
        }
    }
}

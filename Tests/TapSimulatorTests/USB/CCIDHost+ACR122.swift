import Testing

@testable import TapSimulator

/// The chip of an ACR122U, or of a reader like it, as libnfc uses it.
extension CCIDHost {
    /// A frame for the chip, as libnfc sends it.
    static func through(_ frame: [UInt8]) -> [UInt8] {
        [0xFF, 0x00, 0x00, 0x00, UInt8(frame.count + 1), 0xD4] + frame
    }

    private static let longResponse = (0..<256).map { UInt8($0) } + [0x90, 0x00]

    /// A card that has a long response to a command of 250 bytes.
    static func targetWithLongResponse() -> FieldTarget {
        FieldTarget { $0.count == 250 ? Self.longResponse : $0 + [0x90, 0x00] }
    }

    /// Finds such a card, and gets a short and a long response from it.
    /// - Parameter chip: sends a frame to the chip and returns its response.
    static func expectCard(_ target: FieldTarget, through chip: ([UInt8]) throws -> [UInt8]) throws {
        let found = try chip([0x4A, 0x01, 0x00])
        #expect(found.starts(with: [0xD5, 0x4B, 1, 1]) && target.isPowered)
        let short = try chip([0x40, 0x01, 7])
        #expect(short == [0xD5, 0x41, 0x00, 7, 0x90, 0x00, 0x90, 0x00])
        // A long response comes in parts, each of which libnfc can take.
        let command = [UInt8](repeating: 1, count: 250)
        let first = try chip([0x40, 0x01] + command)
        let second = try chip([0x40, 0x01])
        #expect(first.count == 255 && first.starts(with: [0xD5, 0x41, 0x40]))
        #expect(second.starts(with: [0xD5, 0x41, 0x00]))
        let whole = first.dropFirst(3).dropLast(2) + second.dropFirst(3).dropLast(2)
        #expect(whole == longResponse[...])
    }
}

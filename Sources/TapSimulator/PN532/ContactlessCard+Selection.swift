/// How a card is polled, singled out by its identifier, and selected, if the host does it step by step.
///
/// Spec: ISO 14443-3, section 6.4; ISO 14443-4, section 5.
extension ContactlessCard {
    /// The parts of the identifier: four bytes each, including cascade tags.
    private var parts: [[UInt8]] {
        let bytes = cascadedIdentifier
        return stride(from: 0, to: min(bytes.count, 12), by: 4).map { Array(bytes[$0..<min($0 + 4, bytes.count)]) }
    }

    /// The codes that request the first, second and third part.
    private static let partCodes: [UInt8] = [0x93, 0x95, 0x97]

    /// Answers a seven-bit poll.
    mutating func call(_ code: UInt8) -> [UInt8]? {
        switch (code, level) {
        // All cards that are not halted; all cards.
        case (0x26, .idle), (0x52, .idle), (0x52, .halted):
            level = .ready(settled: 0)
            return answerToRequest
        default: return nil
        }
    }

    /// Returns the next part of the identifier.
    func identify(_ frame: [UInt8]) -> [UInt8]? {
        guard case .ready(let settled) = level, parts.indices.contains(settled),
            frame == [Self.partCodes[settled], 0x20]
        else { return nil }
        return parts[settled] + [parts[settled].reduce(0, ^)]
    }

    /// Answers the frames that select or halt the card, or request its answer to select.
    mutating func activate(_ frame: [UInt8]) -> [UInt8]? {
        switch level {
        case .ready(let settled):
            guard parts.indices.contains(settled),
                frame == [Self.partCodes[settled], 0x70] + parts[settled] + [parts[settled].reduce(0, ^)]
            else { return nil }
            guard settled + 1 == parts.count else {
                level = .ready(settled: settled + 1)
                // The identifier has more parts.
                return [0x04]
            }
            level = .selected
            return [Self.speaksBlocks]
        case .selected where frame.count == 2 && frame[0] == 0xE0:
            startProtocol()
            return answerToSelect
        case .selected where frame == [0x50, 0x00]:
            level = .halted
            return nil
        default: return nil
        }
    }
}

/// The two-byte checksum that ends frames on the air.
///
/// Spec: ISO 14443-3, annex B (CRC_A).
enum AirChecksum {
    static func add(to frame: [UInt8]) -> [UInt8] {
        let sum = checksum(frame[...])
        return frame + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
    }

    /// The frame without its checksum; `nil` if that is wrong.
    static func takeOff(_ frame: [UInt8]) -> [UInt8]? {
        guard frame.count > 2, add(to: Array(frame.dropLast(2))) == frame else { return nil }
        return Array(frame.dropLast(2))
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        bytes.reduce(0x6363) { sum, byte in
            (0..<8).reduce(sum ^ UInt16(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0x8408 : sum >> 1 }
        }
    }
}

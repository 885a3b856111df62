/// Tests the line, the chip and the card.
///
/// Spec: UM0701-02, section 7.2.1.
enum Diagnose: PN532Command {
    static let code: UInt8 = 0x00

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        switch data.first {
        // The line: echoes everything.
        case 0x00: return .answer(data)
        // Memory and antenna: fine.
        case 0x01, 0x02, 0x07: return .answer([0x00])
        // Whether the card is still there.
        case 0x06:
            guard chip.listed == .active else { return .answer(chip.status(.wrongContext)) }
            return .answer(chip.status(chip.card?.level == .inProtocol ? .success : .timeout))
        default: return .syntaxError
        }
    }
}

/// Identifies the chip.
///
/// Spec: UM0701-02, section 7.2.2.
enum GetFirmwareVersion: PN532Command {
    static let code: UInt8 = 0x02

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        .answer(chip.edition.firmware)
    }
}

/// Reports the last error and the targets.
///
/// Spec: UM0701-02, section 7.2.3.
enum GetGeneralStatus: PN532Command {
    static let code: UInt8 = 0x04

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        // The field in the response is an external one. A target: its number, 106 kbit/s both ways, type A.
        let targets: [UInt8] = chip.listed == .none ? [0] : [1, 1, 0x00, 0x00, 0x00]
        return .answer([chip.lastStatus.rawValue, 0x00] + targets + [0x00])
    }
}

/// Spec: UM0701-02, section 7.2.1.
enum Diagnose: PN532Command {
    static let code: UInt8 = 0x00

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        switch data.first {
        // The line: everything comes back.
        case 0x00: return .answer(data)
        // Memories, and the antenna: in order.
        case 0x01, 0x02, 0x07: return .answer([0x00])
        // Whether the card is still there.
        case 0x06:
            guard chip.listed == .active else { return .answer(chip.status(.wrongContext)) }
            return .answer(chip.status(chip.card?.level == .inProtocol ? .success : .timeout))
        default: return .syntaxError
        }
    }
}

/// Spec: UM0701-02, section 7.2.2.
enum GetFirmwareVersion: PN532Command {
    static let code: UInt8 = 0x02

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        // PN532, version 1.6, cards of types A and B and NFCIP-1.
        .answer([0x32, 0x01, 0x06, 0x07])
    }
}

/// Spec: UM0701-02, section 7.2.3.
enum GetGeneralStatus: PN532Command {
    static let code: UInt8 = 0x04

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        // The field in the answer is one from outside. A target: its number, 106 kbit/s both ways, type A.
        let targets: [UInt8] = chip.listed == .none ? [0] : [1, 1, 0x00, 0x00, 0x00]
        return .answer([chip.lastStatus.rawValue, 0x00] + targets + [0x00])
    }
}

/// Spec: UM0701-02, section 7.2.4.
enum ReadRegister: PN532Command {
    static let code: UInt8 = 0x06

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard !data.isEmpty, data.count.isMultiple(of: 2) else { return .syntaxError }
        return .answer(
            stride(from: 0, to: data.count, by: 2).map {
                chip.registers[UInt16(data[$0]) << 8 | UInt16(data[$0 + 1])]
            })
    }
}

/// Spec: UM0701-02, section 7.2.5.
enum WriteRegister: PN532Command {
    static let code: UInt8 = 0x08

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard !data.isEmpty, data.count.isMultiple(of: 3) else { return .syntaxError }
        for place in stride(from: 0, to: data.count, by: 3) {
            chip.registers[UInt16(data[place]) << 8 | UInt16(data[place + 1])] = data[place + 2]
        }
        return .answer([])
    }
}

/// Spec: UM0701-02, section 7.2.8. A pseudo-terminal has no speed.
enum SetSerialBaudRate: PN532Command {
    static let code: UInt8 = 0x10

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard data.count == 1, data[0] <= 0x08 else { return .syntaxError }
        return .answer([])
    }
}

/// Spec: UM0701-02, section 7.2.9.
enum SetParameters: PN532Command {
    static let code: UInt8 = 0x12

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard data.count == 1 else { return .syntaxError }
        chip.settings.parameters = data[0]
        return .answer([])
    }
}

/// Spec: UM0701-02, section 7.2.10.
enum SAMConfiguration: PN532Command {
    static let code: UInt8 = 0x14

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard let mode = data.first, (1...4).contains(mode), data.count <= 3 else { return .syntaxError }
        chip.settings.securityModuleMode = mode
        return .answer([])
    }
}

/// Spec: UM0701-02, section 7.2.11. The field goes down; the first byte of a wake-up ends the sleep.
enum PowerDown: PN532Command {
    static let code: UInt8 = 0x16

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard (1...2).contains(data.count) else { return .syntaxError }
        chip.setField(false)
        chip.isAsleep = true
        return .answer(chip.status(.success))
    }
}

/// Spec: UM0701-02, section 7.3.1.
enum RFConfiguration: PN532Command {
    static let code: UInt8 = 0x32

    private static let fieldBit: UInt8 = 0x01

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        switch (data.first, data.count - 1) {
        case (0x01, 1): chip.setField(data[1] & fieldBit != 0)
        // Retries of an activation by attribute request, of its protocol, of the search for cards.
        case (0x05, 3): chip.settings.searchRetries = data[3]
        // Times, retries of a transfer, and the analog part at three speeds and type B: nothing depends on them here.
        case (0x02, 3), (0x04, 1), (0x0A, 11), (0x0B, 8), (0x0C, 3), (0x0D, 9): break
        default: return .syntaxError
        }
        return .answer([])
    }
}

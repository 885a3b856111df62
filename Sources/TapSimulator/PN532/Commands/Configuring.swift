/// Starts Sony's firmware over.
///
/// Spec: the kernel's driver `pn533`; libnfc 1.8.0, driver `pn53x_usb`.
enum SonyReset: PN532Command {
    static let code: UInt8 = 0x18

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard chip.edition.isSonys, data == [0x01] else { return .syntaxError }
        chip.setField(false)
        return .answer(chip.status(.success))
    }
}

/// Sets the line's speed; a pseudo-terminal has none.
///
/// Spec: UM0701-02, section 7.2.8.
enum SetSerialBaudRate: PN532Command {
    static let code: UInt8 = 0x10

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard data.count == 1, data[0] <= 0x08 else { return .syntaxError }
        return .answer([])
    }
}

/// Sets what the chip does by itself.
///
/// Spec: UM0701-02, section 7.2.9.
enum SetParameters: PN532Command {
    static let code: UInt8 = 0x12

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard data.count == 1 else { return .syntaxError }
        chip.settings.parameters = data[0]
        return .answer([])
    }
}

/// Sets the mode of the security module, and ends the start-up.
///
/// Spec: UM0701-02, section 7.2.10.
enum SAMConfiguration: PN532Command {
    static let code: UInt8 = 0x14

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard let mode = data.first, (1...4).contains(mode), data.count <= 3 else { return .syntaxError }
        chip.settings.securityModuleMode = mode
        return .answer([])
    }
}

/// Switches the field, and sets how long the chip searches.
///
/// Spec: UM0701-02, section 7.3.1.
enum RFConfiguration: PN532Command {
    static let code: UInt8 = 0x32

    private static let fieldBit: UInt8 = 0x01

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        switch (data.first, data.count - 1) {
        case (0x01, 1): chip.setField(data[1] & fieldBit != 0)
        // Retries of an activation by attribute request, of its protocol, and of the search for cards.
        case (0x05, 3): chip.settings.searchRetries = data[3]
        // Timings, transfer retries, and the analog settings for three speeds and type B: nothing depends on them here.
        case (0x02, 3), (0x04, 1), (0x0A, 11), (0x0B, 8), (0x0C, 3), (0x0D, 9): break
        // The kernel's driver sends it; what it sets is not known.
        case (0x82, 3) where chip.edition.isSonys: break
        default: return .syntaxError
        }
        return .answer([])
    }
}

/// Finds and activates a card.
///
/// Spec: UM0701-02, section 7.3.5.
enum InListPassiveTarget: PN532Command {
    static let code: UInt8 = 0x4A

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        // The most targets, the kind (0: type A at 106 kbit/s), and for type A the identifier if only one card will do.
        guard data.count >= 2, (1...2).contains(data[0]), data[1] <= 0x04 else { return .syntaxError }
        let identifier = Array(data.dropFirst(2))
        let wanted: PN532Chip.Wanted =
            data[1] != 0x00 ? .otherKind : identifier.isEmpty ? .typeA : .identifier(identifier)
        chip.isFieldOn = true
        let deadline = chip.settings.searchDuration.map { now + $0 }
        return .search(.passiveTarget(.init(wanted: wanted, deadline: deadline)))
    }
}

/// Polls for cards of several kinds in turn.
///
/// Spec: UM0701-02, section 7.3.13.
enum InAutoPoll: PN532Command {
    static let code: UInt8 = 0x60

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        // The number of rounds (0xFF: unlimited), the time for each kind in units of 150 ms, and the kinds.
        guard (3...17).contains(data.count), data[0] > 0, (1...15).contains(data[1]) else { return .syntaxError }
        let types = Array(data.dropFirst(2))
        let duration = Duration.milliseconds(150) * (Int(data[0]) * Int(data[1]) * types.count)
        chip.isFieldOn = true
        return .search(
            .autoPoll(.init(wanted: .types(types), deadline: data[0] == 0xFF ? nil : now + duration)))
    }
}

/// Polls for another device instead of a card; there is never one.
///
/// Spec: UM0701-02, section 7.3.3.
enum InJumpForDEP: PN532Command {
    static let code: UInt8 = 0x56

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        .answer(chip.status(.timeout))
    }
}

/// Deselects the card; it keeps its power and can be selected again. Target number 0 means every target.
///
/// Spec: UM0701-02, section 7.3.10.
enum InDeselect: PN532Command {
    static let code: UInt8 = 0x44

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard data.count == chip.releasingLength else { return .syntaxError }
        chip.deselect()
        if chip.listed == .active { chip.listed = .deselected }
        return .answer(chip.released(data))
    }
}

/// Deselects the card and forgets it.
///
/// Spec: UM0701-02, section 7.3.11.
enum InRelease: PN532Command {
    static let code: UInt8 = 0x52

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard data.count == chip.releasingLength else { return .syntaxError }
        chip.deselect()
        chip.listed = .none
        return .answer(chip.released(data))
    }
}

/// Selects a deselected card again.
///
/// Spec: UM0701-02, section 7.3.12.
enum InSelect: PN532Command {
    static let code: UInt8 = 0x54

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard data.count == 1 else { return .syntaxError }
        guard data[0] == 1, chip.listed != .none else { return .answer(chip.status(.wrongContext)) }
        if chip.listed == .active { return .answer(chip.status(.success)) }
        return .answer(chip.status(chip.activate() ? .success : .timeout))
    }
}

extension PN532Chip {
    /// How many numbers a command has that lets go of a target.
    fileprivate var releasingLength: Int { edition.isSonys ? 2 : 1 }

    /// The answer to such a command; Sony's has the status in its second byte.
    ///
    /// Spec: libnfc 1.8.0, `pn53x_InDeselect` and `pn53x_transceive`.
    fileprivate mutating func released(_ data: [UInt8]) -> [UInt8] {
        (edition.isSonys ? Array(data.prefix(1)) : []) + status(.success)
    }

    fileprivate mutating func deselect() {
        if let level = card?.level, level != .unpowered { card?.level = .halted }
        partsForCard = []
        restForHost = []
    }
}

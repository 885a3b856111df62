/// Takes an APDU to the card, and its answer back.
///
/// Spec: UM0701-02, section 7.3.8.
enum InDataExchange: PN532Command {
    static let code: UInt8 = 0x40

    /// The most that the chip takes for one card command, in several parts.
    private static let longestCommand = 65_544

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard let target = data.first else { return .syntaxError }
        let part = data.dropFirst()
        guard target & ~PN532Status.moreInformation == 1, chip.listed == .active else {
            return .answer(chip.status(.wrongContext))
        }
        if part.isEmpty, !chip.restForHost.isEmpty { return .answer(chip.nextPart()) }
        chip.restForHost = []
        guard chip.partsForCard.count + part.count <= longestCommand else {
            chip.partsForCard = []
            return .answer(chip.status(.bufferTooSmall))
        }
        let apdu = chip.partsForCard + part
        guard target & PN532Status.moreInformation == 0 else {
            chip.partsForCard = apdu
            return .answer(chip.status(.success))
        }
        chip.partsForCard = []
        guard chip.card?.level == .inProtocol else {
            chip.listed = .none
            return .answer(chip.status(.timeout))
        }
        return .ask(apdu, .dataExchange)
    }
}

/// Sends bytes to the card as they are.
///
/// Spec: UM0701-02, section 7.3.9; ISO 14443-4, sections 5.6 and 7.1.
enum InCommunicateThru: PN532Command {
    static let code: UInt8 = 0x42

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard let first = data.first, chip.registers.isTypeA, let level = chip.card?.level else {
            return .answer(chip.status(.timeout))
        }
        switch (level, first) {
        case (.selected, 0xE0) where data.count == 2:
            chip.card?.startProtocol()
            return .answer(chip.status(.success) + (chip.card?.answerToSelect ?? []))
        case (.inProtocol, 0x02), (.inProtocol, 0x03): return .ask(Array(data.dropFirst()), .rawBlock)
        case (.inProtocol, 0xB2), (.inProtocol, 0xB3):
            return .answer(
                chip.status(.success) + (chip.card?.answer(toNegativeAcknowledgement: first & 1) ?? []))
        case (.inProtocol, 0xC2):
            chip.card?.level = .halted
            return .answer(chip.status(.success) + [0xC2])
        default: return .answer(chip.status(.timeout))
        }
    }
}

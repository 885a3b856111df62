/// Sends an APDU to the card, and its response back.
///
/// Spec: UM0701-02, section 7.3.8.
enum InDataExchange: PN532Command {
    static let code: UInt8 = 0x40

    /// The longest card command that the chip accepts, in several parts.
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

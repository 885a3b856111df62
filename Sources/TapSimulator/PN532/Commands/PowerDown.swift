/// Puts the chip to sleep: the field goes off; the first byte of a wake-up ends the sleep.
///
/// Spec: UM0701-02, section 7.2.11.
enum PowerDown: PN532Command {
    static let code: UInt8 = 0x16

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard (1...2).contains(data.count) else { return .syntaxError }
        chip.setField(false)
        chip.isAsleep = true
        return .answer(chip.status(.success))
    }
}

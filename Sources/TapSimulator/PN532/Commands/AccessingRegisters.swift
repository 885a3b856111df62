/// Reads registers.
///
/// Spec: UM0701-02, section 7.2.4.
enum ReadRegister: PN532Command {
    static let code: UInt8 = 0x06

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard !data.isEmpty, data.count.isMultiple(of: 2) else { return .syntaxError }
        return .answer(
            chip.registerStatus
                + stride(from: 0, to: data.count, by: 2).map {
                    chip.registers[UInt16(data[$0]) << 8 | UInt16(data[$0 + 1])]
                })
    }
}

/// Writes registers.
///
/// Spec: UM0701-02, section 7.2.5.
enum WriteRegister: PN532Command {
    static let code: UInt8 = 0x08

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard !data.isEmpty, data.count.isMultiple(of: 3) else { return .syntaxError }
        for place in stride(from: 0, to: data.count, by: 3) {
            chip.registers[UInt16(data[place]) << 8 | UInt16(data[place + 1])] = data[place + 2]
        }
        return .answer(chip.registerStatus)
    }
}

extension PN532Chip {
    /// What precedes a response about registers.
    fileprivate var registerStatus: [UInt8] { edition.registersHaveStatus ? [PN532Status.success.rawValue] : [] }
}

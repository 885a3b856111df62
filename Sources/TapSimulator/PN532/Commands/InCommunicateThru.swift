/// Sends bytes to the card unchanged.
///
/// Spec: UM0701-02, section 7.3.9; ISO 14443-3, section 6; ISO 14443-4, sections 5.6 and 7.1.
enum InCommunicateThru: PN532Command {
    static let code: UInt8 = 0x42

    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome {
        guard chip.registers.isTypeA, chip.powerCard() else { return .answer(chip.status(.timeout)) }
        if !chip.registers.addsChecksum, let answer = call(data, of: &chip) {
            return .answer(chip.status(.success) + answer)
        }
        guard let frame = chip.registers.addsChecksum ? data : AirChecksum.takeOff(data),
            let outcome = send(frame, to: &chip)
        else { return .answer(chip.status(.timeout)) }
        return outcome
    }

    /// Frames that have no checksum on the air: polls, and requests for the identifier.
    private static func call(_ data: [UInt8], of chip: inout PN532Chip) -> [UInt8]? {
        guard chip.registers.sendsSevenBits else { return chip.card?.identify(data) }
        return data.count == 1 ? chip.card?.call(data[0]) : nil
    }

    private static func send(_ frame: [UInt8], to chip: inout PN532Chip) -> PN532Outcome? {
        guard chip.card?.level == .inProtocol else { return chip.card?.activate(frame).map { raw($0, &chip) } }
        switch frame.first {
        case 0x02, 0x03: return .ask(Array(frame.dropFirst()), .rawBlock)
        case 0xB2: return chip.card.map { raw($0.answer(toNegativeAcknowledgement: 0), &chip) }
        case 0xB3: return chip.card.map { raw($0.answer(toNegativeAcknowledgement: 1), &chip) }
        case 0xC2:
            chip.card?.level = .halted
            return raw([0xC2], &chip)
        default: return nil
        }
    }

    private static func raw(_ answer: [UInt8], _ chip: inout PN532Chip) -> PN532Outcome {
        .answer(chip.rawResponse(answer))
    }
}

extension PN532Chip {
    /// The card's raw bytes as the chip's response.
    mutating func rawResponse(_ answer: [UInt8]) -> [UInt8] {
        status(.success) + (registers.takesChecksumOff ? answer : AirChecksum.add(to: answer))
    }
}

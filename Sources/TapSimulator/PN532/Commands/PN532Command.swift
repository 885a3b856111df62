/// One command of the chip.
protocol PN532Command: Sendable {
    /// The command's code; the response's is one more.
    static var code: UInt8 { get }

    /// Runs the command.
    /// - Parameter data: the bytes after the code.
    static func run(_ data: [UInt8], on chip: inout PN532Chip, at now: ContinuousClock.Instant) -> PN532Outcome
}

/// The result of a command.
enum PN532Outcome {
    /// The response's data, without its code.
    case answer([UInt8])
    /// The error frame: parameters that the command does not have.
    case syntaxError
    /// The card is asked; the chip stays silent until it responds.
    case ask([UInt8], PN532Chip.CardQuestion)
    /// The chip stays silent until the search finds a card or is over.
    case search(PN532Chip.Pending)
}

/// Every command that the chip supports. It lacks those of a real chip that emulate a card.
enum PN532CommandTable {
    private static let commands: [any PN532Command.Type] = [
        Diagnose.self, GetFirmwareVersion.self, GetGeneralStatus.self, ReadRegister.self, WriteRegister.self,
        SetSerialBaudRate.self, SetParameters.self, SAMConfiguration.self, PowerDown.self, RFConfiguration.self,
        InListPassiveTarget.self, InAutoPoll.self, InDataExchange.self, InCommunicateThru.self, InDeselect.self,
        InRelease.self, InSelect.self, InJumpForDEP.self, SonyReset.self,
    ]

    /// The command with a code; `nil` if unknown.
    static func command(_ code: UInt8) -> (any PN532Command.Type)? { commands.first { $0.code == code } }
}

/// A command for a card, as ISO 7816-4 writes it in a short APDU.
public struct CommandAPDU: Sendable, Equatable {
    /// Why a command cannot be written as a short APDU.
    public enum FormatError: Error, Equatable, Sendable {
        /// More than 255 bytes of data; the associated value is the count.
        case dataTooLong(Int)
    }

    /// The most data bytes a short APDU carries.
    public static let maximumDataLength = 255

    /// Class byte.
    public let instructionClass: UInt8
    /// Instruction byte.
    public let instruction: UInt8
    /// First parameter byte.
    public let parameter1: UInt8
    /// Second parameter byte.
    public let parameter2: UInt8
    /// Command data, 0–255 bytes.
    public let data: [UInt8]
    /// How many answer bytes are expected, 1–256 (`nil`: no Le byte is sent).
    public let expectedLength: Int?

    /// A command from its parts.
    /// - Throws: `.dataTooLong` when `data` has more than 255 bytes.
    public init(
        class instructionClass: UInt8, instruction: UInt8, parameter1: UInt8, parameter2: UInt8,
        data: [UInt8] = [], expectedLength: Int? = nil
    ) throws(FormatError) {
        guard data.count <= Self.maximumDataLength else { throw .dataTooLong(data.count) }
        self.instructionClass = instructionClass
        self.instruction = instruction
        self.parameter1 = parameter1
        self.parameter2 = parameter2
        self.data = data
        self.expectedLength = expectedLength
    }

    /// The same command with another expected length, 1–256.
    init(_ command: Self, expectedLength: Int) {
        instructionClass = command.instructionClass
        instruction = command.instruction
        parameter1 = command.parameter1
        parameter2 = command.parameter2
        data = command.data
        self.expectedLength = expectedLength
    }

    /// SELECT by application identifier (`00 A4 04 00`).
    /// - Parameter applicationIdentifier: 5–16 bytes.
    /// - Throws: `.dataTooLong` when the identifier has more than 255 bytes.
    public static func select(applicationIdentifier: [UInt8]) throws(FormatError) -> Self {
        try Self(
            class: 0x00, instruction: 0xA4, parameter1: 0x04, parameter2: 0x00, data: applicationIdentifier)
    }

    /// The bytes that go to the card: header, then Lc and data unless empty, then Le if one is expected.
    ///
    /// Spec: ISO 7816-4, section 5.1 (short fields; Le 256 is written as 00).
    public var encoded: [UInt8] {
        var bytes = [instructionClass, instruction, parameter1, parameter2]
        if !data.isEmpty {
            bytes.append(UInt8(truncatingIfNeeded: data.count))
            bytes += data
        }
        if let expectedLength { bytes.append(UInt8(truncatingIfNeeded: expectedLength)) }
        return bytes
    }
}

/// A command for a card: a short APDU as ISO 7816-4 defines it.
public struct CommandAPDU: Sendable, Equatable {
    /// Why a command cannot be written as a short APDU.
    public enum FormatError: Error, Equatable, Sendable {
        /// More than 255 bytes of data; the associated value is the count.
        case dataTooLong(Int)
        /// An expected length outside 1–256.
        case badExpectedLength(Int)
    }

    /// The most data bytes that a short APDU can carry.
    static let maximumDataLength = 255

    /// CLA: 00 for a tap card, whose commands use neither secure messaging nor chaining.
    public let instructionClass: UInt8
    /// INS, such as A4 for SELECT.
    public let instruction: UInt8
    /// P1; its meaning depends on the instruction.
    public let parameter1: UInt8
    /// P2; its meaning depends on the instruction.
    public let parameter2: UInt8
    /// Command data, 0–255 bytes.
    public private(set) var data: [UInt8]
    /// How many response bytes are expected, 1–256 (`nil`: no Le byte is sent).
    public private(set) var expectedLength: Int?

    /// Creates a command that fits into a short APDU.
    /// - Parameter expectedLength: the most response bytes expected, 1–256; `nil` for none.
    /// - Throws: `.dataTooLong` when `data` has more than 255 bytes; `.badExpectedLength`.
    public init(
        class instructionClass: UInt8, instruction: UInt8, parameter1: UInt8, parameter2: UInt8,
        data: [UInt8] = [], expectedLength: Int? = nil
    ) throws(FormatError) {
        guard data.count <= Self.maximumDataLength else { throw .dataTooLong(data.count) }
        if let expectedLength, !(1...256).contains(expectedLength) { throw .badExpectedLength(expectedLength) }
        self.init(instructionClass, instruction, parameter1, parameter2)
        self.data = data
        self.expectedLength = expectedLength
    }

    /// GET RESPONSE (`00 C0 00 00`), without an expected length.
    static let getResponse = Self(0x00, 0xC0, 0x00, 0x00)

    /// Creates a command that is only a header.
    private init(_ instructionClass: UInt8, _ instruction: UInt8, _ parameter1: UInt8, _ parameter2: UInt8) {
        self.instructionClass = instructionClass
        self.instruction = instruction
        self.parameter1 = parameter1
        self.parameter2 = parameter2
        data = []
        expectedLength = nil
    }

    /// The same command with an expected length as the card gives it in the second status byte, where 0 stands for 256.
    func expecting(_ length: UInt8) -> Self {
        var command = self
        command.expectedLength = length == 0 ? 256 : Int(length)
        return command
    }

    /// SELECT by application identifier (`00 A4 04 00`).
    /// - Parameter applicationIdentifier: 5–16 bytes.
    /// - Throws: `.dataTooLong` when the identifier has more than 255 bytes.
    public static func select(applicationIdentifier: [UInt8]) throws(FormatError) -> Self {
        try Self(
            class: 0x00, instruction: 0xA4, parameter1: 0x04, parameter2: 0x00, data: applicationIdentifier)
    }

    /// The bytes sent to the card: the header, Lc and data unless empty, Le if a length is expected.
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

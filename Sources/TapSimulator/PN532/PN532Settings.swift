/// What the host sets once and the chip keeps.
struct PN532Settings {
    /// The bit of the parameters by which the chip asks cards for their answer to select by itself.
    private static let automaticRATS: UInt8 = 0x10

    /// SetParameters.
    var parameters: UInt8 = 0x14
    /// SAMConfiguration; 1 is normal.
    var securityModuleMode: UInt8 = 1
    /// How often a search for cards is repeated; 0xFF: for ever. RFConfiguration, MaxRetries.
    var searchRetries: UInt8 = 0xFF

    /// Whether activation goes on to the block protocol.
    var selectsProtocol: Bool { parameters & Self.automaticRATS != 0 }

    /// How long one try to find a card takes.
    private static let tryDuration = Duration.milliseconds(10)

    /// How long a search goes on without a card; `nil`: for ever.
    var searchDuration: Duration? {
        searchRetries == 0xFF ? nil : Self.tryDuration * (Int(searchRetries) + 1)
    }
}

/// The chip's registers, as far as somebody wrote them.
///
/// Spec: UM0701-02, sections 7.2.4 and 7.2.5; PN532/C1 data sheet, section 8.6.23.
struct PN532Registers {
    /// The modulation for sending.
    static let transmitMode: UInt16 = 0x6302
    /// What the lowest two bits of the modes say: ISO 14443 type A.
    private static let framing: UInt8 = 0x03

    private var values: [UInt16: UInt8] = [transmitMode: 0x80, 0x6303: 0x80]

    subscript(_ address: UInt16) -> UInt8 {
        get { values[address] ?? 0 }
        set { values[address] = newValue }
    }

    /// Whether what is sent raw is for cards of type A.
    var isTypeA: Bool { self[Self.transmitMode] & Self.framing == 0 }
}

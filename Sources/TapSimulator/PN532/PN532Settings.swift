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

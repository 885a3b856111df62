/// The chip's settings, set by the host.
struct PN532Settings {
    /// The parameter bit with which the chip requests a card's answer to select by itself.
    private static let automaticRATS: UInt8 = 0x10

    /// SetParameters.
    var parameters: UInt8 = 0x14
    /// SAMConfiguration; 1 is normal.
    var securityModuleMode: UInt8 = 1
    /// How often a search for cards is repeated; 0xFF means forever. RFConfiguration, MaxRetries.
    var searchRetries: UInt8 = 0xFF

    /// Whether activation continues to the block protocol.
    var selectsProtocol: Bool { parameters & Self.automaticRATS != 0 }

    /// How long one try to find a card takes.
    private static let tryDuration = Duration.milliseconds(10)

    /// How long a search runs without finding a card; `nil` means forever.
    var searchDuration: Duration? {
        searchRetries == 0xFF ? nil : Self.tryDuration * (Int(searchRetries) + 1)
    }
}

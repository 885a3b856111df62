extension CCIDReader {
    /// Identiv uTrust 3700 F (04e6:5790).
    ///
    /// From libccid's list `Identiv_uTrust_3700_F_CL_Reader`. Not known from hardware: the endpoints' addresses, the
    /// current, and what the reader answers to escape messages; here it knows none.
    static var uTrust3700F: Self { uTrust(0x5790, "uTrust 3700 F CL Reader") }

    /// Identiv uTrust 3701 F (04e6:5791), which differs in its name only.
    ///
    /// From libccid's list `Identiv_uTrust_3701_F_CL_Reader`; what is not known is as for the 3700 F.
    static var uTrust3701F: Self { uTrust(0x5791, "uTrust 3701 F CL Reader") }

    private static func uTrust(_ product: UInt16, _ name: String) -> Self {
        let traits = CCIDTraits(
            version: 0x0110, voltages: 0x01, protocols: 3, clock: .init(byDefault: 4_800, highest: 12_000),
            rate: .init(byDefault: 12_903, highest: 412_903), clocks: nil, rates: nil, longestBlock: 1_024,
            mechanics: 1,
            features: 0x0004_04BE, longestMessage: 1_034, wrapperClass: 0xFF)
        return Self(
            USBIdentity(vendor: 0x04E6, product: product, version: 0x0102, names: ("Identiv", name), power: 100),
            [(name, CCIDSlot(traits, .init(command: 0x02, response: 0x82, change: 0x81)))])
    }
}

extension CCIDReader {
    /// Identiv uTrust 3700 F (04e6:5790).
    ///
    /// From libccid's list `Identiv_uTrust_3700_F_CL_Reader`. Not known from hardware: the endpoints' addresses, the
    /// current, and what the reader answers to escape messages; here it knows none.
    static var uTrust3700F: Self {
        let traits = CCIDTraits(
            version: 0x0110, voltages: 0x01, protocols: 3, clock: .init(byDefault: 4_800, highest: 12_000),
            rate: .init(byDefault: 12_903, highest: 412_903), clocks: nil, rates: nil, longestBlock: 1_024,
            mechanics: 1,
            features: 0x0004_04BE, longestMessage: 1_034, wrapperClass: 0xFF)
        let name = "uTrust 3700 F CL Reader"
        return Self(
            USBIdentity(vendor: 0x04E6, product: 0x5790, version: 0x0102, names: ("Identiv", name), power: 100),
            [(name, CCIDSlot(traits, .init(command: 0x02, response: 0x82, change: 0x81)))])
    }
}

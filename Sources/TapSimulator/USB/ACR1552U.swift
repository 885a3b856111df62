extension CCIDReader {
    /// ACS ACR1552U (072f:2308) without a slot for a security module.
    ///
    /// From libccid's list `ACS_ACR1552`. Not known from hardware: the endpoints' addresses, the current, and what the
    /// reader answers to escape messages; here it knows none.
    static var acr1552u: Self {
        let traits = CCIDTraits(
            version: 0x0110, voltages: 0x07, protocols: 3, clock: .init(byDefault: 5_000, highest: 13_560),
            rate: .init(byDefault: 105_938, highest: 847_500), clocks: nil, rates: nil, longestBlock: 506,
            features: 0x0004_04BA, longestMessage: 516, wrapperClass: 0xFF)
        return Self(
            USBIdentity(vendor: 0x072F, product: 0x2308, version: 0x0200, names: ("ACS", "ACR1552"), power: 100),
            [("ACR1552 CL Reader PICC", CCIDSlot(traits, .init(command: 0x02, response: 0x82, change: 0x81)))])
    }
}

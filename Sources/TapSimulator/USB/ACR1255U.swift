extension CCIDReader {
    /// ACS ACR1255U-J1 (072f:223f) on its cable.
    ///
    /// From libccid's list `ACS_ACR1255U-J1`. Not known from hardware: the endpoints' addresses, the current, and what the
    /// reader answers to escape messages; here it knows none.
    static var acr1255u: Self {
        let traits = CCIDTraits(
            version: 0x0110, voltages: 0x07, protocols: 2, clock: .init(byDefault: 4_000, highest: 4_000),
            rate: .init(byDefault: 10_752, highest: 129_032), clocks: nil, rates: nil, longestBlock: 512,
            features: 0x0004_0040, longestMessage: 522)
        return Self(
            USBIdentity(vendor: 0x072F, product: 0x223F, version: 0x0200, names: ("ACS", "ACR1255U-J1"), power: 100),
            [(nil, CCIDSlot(traits, .init(command: 0x02, response: 0x82, change: 0x81)))])
    }
}

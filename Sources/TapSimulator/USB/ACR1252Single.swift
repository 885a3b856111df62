extension CCIDReader {
    /// ACS ACR1252U (072f:223e) without a slot for a security module.
    ///
    /// From libccid's list `ACS_ACR1252_Reader`. Not known from hardware: the endpoints' addresses, the current, and what
    /// the reader answers to escape messages; here it knows none.
    static var acr1252Single: Self {
        let traits = CCIDTraits(
            version: 0x0100, voltages: 0x07, protocols: 2, clock: .init(byDefault: 4_000, highest: 4_000),
            rate: .init(byDefault: 10_752, highest: 250_000), clocks: nil, rates: nil, longestBlock: 254,
            features: 0x0004_04BA, longestMessage: 522)
        return Self(
            USBIdentity(vendor: 0x072F, product: 0x223E, version: 0x0206, names: ("ACS", "ACR1252 Reader"), power: 100),
            [("ACR1252 Reader PICC", CCIDSlot(traits, .init(command: 0x02, response: 0x82, change: 0x81)))])
    }
}

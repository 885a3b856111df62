extension CCIDReader {
    /// ACS ACR1251U (072f:221a): a contactless slot, and an empty one for a security module.
    ///
    /// From libccid's list `ACS_ACR1251_Dual_Reader`. Not known from hardware: the endpoints' addresses, the current, and
    /// what the reader answers to escape messages; here it knows none. The module's slot claims to have keys for a PIN; here
    /// it has none.
    static var acr1251u: Self {
        let contactless = CCIDTraits(
            version: 0x0100, voltages: 0x07, protocols: 2, clock: .init(byDefault: 4_000, highest: 4_000),
            rate: .init(byDefault: 10_752, highest: 250_000), longestBlock: 512, features: 0x0004_0040,
            longestMessage: 522)
        let module = CCIDTraits(
            version: 0x0110, voltages: 0x07, protocols: 3, clock: .init(byDefault: 4_800, highest: 4_800),
            rate: .init(byDefault: 12_903, highest: 344_100), longestBlock: 254, features: 0x0002_00BA,
            longestMessage: 288)
        return Self(
            USBIdentity(
                vendor: 0x072F, product: 0x221A, version: 0x0200, names: ("ACS", "ACR1251 Dual Reader"), power: 100),
            [
                (
                    "ACR1251 Dual Reader PICC",
                    CCIDSlot(contactless, .init(command: 0x02, response: 0x82, change: 0x81))
                ),
                ("ACR1251 Dual Reader SAM", CCIDSlot(module, .init(command: 0x04, response: 0x84, change: 0x83))),
            ])
    }
}

extension CCIDReader {
    /// HID OMNIKEY 5022 (076b:5022).
    ///
    /// From libccid's list `HID_Global_OMNIKEY_5022_Smart_Card_Reader`, which used to have release 1.00. Not known from
    /// hardware: the endpoints' addresses, the current, and what the reader answers to escape messages; here it knows
    /// none. The reader lists more than a hundred rates; here it lists the default only.
    static var omnikey5022: Self {
        let traits = CCIDTraits(
            version: 0x0110, voltages: 0x07, protocols: 3, clock: .init(byDefault: 4_800, highest: 4_800),
            rate: .init(byDefault: 12_903, highest: 825_807), clocks: [4_000, 4_800, 6_000, 8_000], rates: [12_903],
            longestBlock: 254, features: 0x0004_04BA, longestMessage: 520, wrapperClass: 0xFF)
        let name = "OMNIKEY 5022 Smart Card Reader"
        return Self(
            USBIdentity(vendor: 0x076B, product: 0x5022, version: 0x0101, names: ("HID Global", name), power: 100),
            [(name, CCIDSlot(traits, .init(command: 0x02, response: 0x82, change: 0x81)))])
    }
}

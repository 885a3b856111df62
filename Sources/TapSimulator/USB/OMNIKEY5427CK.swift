extension CCIDReader {
    /// HID OMNIKEY 5427 CK (076b:5427) in its CCID mode.
    ///
    /// From libccid's list `HID_OMNIKEY_5427_CK`. Not known from hardware: the endpoints' addresses, the current, and what
    /// the reader answers to escape messages; here it knows none.
    static var omnikey5427CK: Self {
        let traits = CCIDTraits(
            version: 0x0110, voltages: 0x07, protocols: 3, clock: .init(byDefault: 4_800, highest: 4_800),
            rate: .init(byDefault: 12_903, highest: 825_807), longestBlock: 254, features: 0x0004_04BA,
            longestMessage: 520, wrapperClass: 0xFF)
        return Self(
            USBIdentity(
                vendor: 0x076B, product: 0x5427, version: 0x0100, names: ("HID OMNIKEY", "5427 CK"), power: 100),
            [(nil, CCIDSlot(traits, .init(command: 0x02, response: 0x82, change: 0x81)))])
    }
}

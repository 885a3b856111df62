extension CCIDReader {
    /// ACS ACR122U (072f:2200), firmware 2.07, which contains a PN532: PC/SC and libnfc can both use it.
    ///
    /// From libccid's list `ACR122U_PICC` and libnfc's driver `acr122_usb`. Not known from hardware: the endpoints'
    /// addresses, the current, and that a USB reset cuts the card's power.
    static var acr122u: Self { acr122(version: 0x0207) }

    /// The same with firmware 2.05, which libccid refuses. The list has had 1.00, 2.03, 2.04, 2.06 and 2.07, all with
    /// the same class descriptor.
    static var acr122u205: Self { acr122(version: 0x0205) }

    /// ACS ACR1222 (072f:2214), which libnfc drives like an ACR122U.
    ///
    /// From libnfc's driver. No list has its descriptors: the class's is the ACR122U's, and its release and names are
    /// invented. libccid does not know it.
    static var acr1222: Self { acr122(product: 0x2214, version: 0x0103, "ACR1222 PICC Interface") }

    private static func acr122(product: UInt16 = 0x2200, version: UInt16, _ name: String = "ACR122U PICC Interface")
        -> Self
    {
        let traits = CCIDTraits(
            version: 0x0100, voltages: 0x07, protocols: 2, clock: .init(byDefault: 4_000, highest: 4_000),
            rate: .init(byDefault: 10_752, highest: 250_000), longestBlock: 256, features: 0x0002_0040,
            longestMessage: 271)
        let slot = CCIDSlot(
            traits, .init(command: 0x02, response: 0x82, change: 0x81), firmware: ACR122Firmware(version: version),
            chip: .acr122)
        return Self(
            USBIdentity(
                vendor: 0x072F, product: product, version: version, names: ("ACS", name), power: 100),
            [(nil, slot)])
    }
}

extension CCIDReader {
    /// Touchatag (072f:90cc): an ACR122U with a slot for a module (SAM), and the identity of a contact reader. A driver
    /// of the class sees only that slot, at the TPDU level, and never the card in the field. libnfc speaks with the
    /// chip, and fetches each of its responses.
    ///
    /// From libccid's list `ACR122U`; the way to the chip is from libnfc's driver `acr122_usb`, the firmware's name
    /// from its `acr122_pcsc`. Public reports say that the slot always seems to have a card, with the answer to reset
    /// 3B 00 if no module is in it. Not known from hardware: the endpoints' addresses, the current, what the empty slot
    /// answers to a module's commands, which commands this firmware has, and that a USB reset cuts the card's power.
    static var touchatag: Self {
        let traits = CCIDTraits(
            version: 0x0100, voltages: 0x07, protocols: 3, clock: .init(byDefault: 4_000, highest: 4_000),
            rate: .init(byDefault: 10_752, highest: 250_000), longestBlock: 247, features: 0x0001_0030,
            longestMessage: 271)
        let slot = CCIDSlot(
            traits, .init(command: 0x02, response: 0x82, change: 0x81),
            firmware: ACR122Firmware(version: 0x0102, keepsResponses: true), chip: .acr122,
            pretended: PretendedCard())
        // The maker's name is three spaces.
        return Self(
            USBIdentity(
                vendor: 0x072F, product: 0x90CC, version: 0x0100, names: ("   ", "CCID USB Reader"), power: 100),
            [(nil, slot)])
    }
}

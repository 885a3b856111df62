/// A PN53x chip that is its own USB device: each frame is one transfer.
///
/// Spec: UM0801-03 (PN533); libnfc 1.8.0, driver `pn53x_usb`.
struct PN53xReader: ChipDevice {
    private static let endpointNumber: UInt8 = 0x04

    let description: USBDescription
    var chip: PN532Chip

    private init(_ identity: USBIdentity, _ edition: PN532Edition = .pn533) {
        chip = PN532Chip(edition, isAsleep: false)
        let endpoints = [Self.endpointNumber, Self.endpointNumber | USBEndpoint.forHost].map {
            USBEndpoint(address: $0, kind: .bulk, longestPacket: 64, interval: 4)
        }
        description = USBDescription(
            vendor: identity.vendor, product: identity.product, version: identity.version, names: identity.names,
            power: identity.power,
            interfaces: [
                USBInterface(number: 0, kind: (0xFF, 0xFF, 0xFF), name: nil, details: [], endpoints: endpoints)
            ])
    }

    /// SCM SCL3711 (04e6:5591), a stick.
    ///
    /// From libnfc's driver, which knows its descriptors. Not known from hardware: its release, and that a USB reset cuts
    /// the card's power.
    static var scl3711: Self {
        Self(USBIdentity(vendor: 0x04E6, product: 0x5591, version: 0x0100, names: ("SCM Micro", "SCL3711-NFC&RW")))
    }

    /// NXP PN533 (04cc:2533) with NXP's own identity.
    ///
    /// From libnfc's driver, which knows its descriptors. Not known from hardware: its release, and that a USB reset cuts
    /// the card's power.
    static var pn533: Self {
        Self(USBIdentity(vendor: 0x04CC, product: 0x2533, version: 0x0100, names: ("NXP", "PN533")))
    }

    /// SCM SCL3712 (04e6:5594).
    ///
    /// libnfc's driver knows no descriptors of it, and takes what it finds. Not known from hardware: all but the identity.
    static var scl3712: Self {
        Self(USBIdentity(vendor: 0x04E6, product: 0x5594, version: 0x0100, names: ("SCM Micro", "SCL3712-NFC&RW")))
    }

    /// ASK LoGO (1fd3:0608).
    ///
    /// From libnfc's driver, which knows its descriptors, and writes some of the chip's registers first. Not known from
    /// hardware: its release, what those registers do, and that a USB reset cuts the card's power.
    static var logo: Self {
        Self(USBIdentity(vendor: 0x1FD3, product: 0x0608, version: 0x0100, names: ("ASK", "LoGO")))
    }

    /// NXP PN531 (04cc:0531) with Philips' identity.
    ///
    /// libnfc's driver knows its endpoints. Not known from hardware: its release and names, the length of its frames, and
    /// that a USB reset cuts the card's power.
    static var pn531: Self {
        Self(
            USBIdentity(vendor: 0x04CC, product: 0x0531, version: 0x0100, names: ("Philips Semiconductors", "PN531")),
            .pn531)
    }

    /// Sony's reader with a PN531 (054c:0193).
    ///
    /// As the other one with this chip.
    static var sonyPN531: Self {
        Self(USBIdentity(vendor: 0x054C, product: 0x0193, version: 0x0100, names: ("Sony", "PN531")), .pn531)
    }

    /// Sony PaSoRi RC-S360 (054c:02e1).
    ///
    /// From libnfc's driver and the kernel's `pn533`. Not known from hardware: its release, names and revision, which of the
    /// chip's other commands it has, and that a USB reset cuts the card's power.
    static var s360: Self {
        Self(USBIdentity(vendor: 0x054C, product: 0x02E1, version: 0x0100, names: ("Sony", "RC-S360")), .s360)
    }

    mutating func reset() { chip.restart() }

    mutating func answer(_ request: USBRequest, _ data: [UInt8], at now: ContinuousClock.Instant) -> [UInt8]? { nil }

    mutating func receive(_ bytes: [UInt8], at endpoint: UInt8, _ now: ContinuousClock.Instant) {
        chip.receive(bytes, at: now)
    }

    mutating func takeTransfers() -> [USBTransfer] {
        chip.takeFrames().map { USBTransfer(endpoint: Self.endpointNumber | USBEndpoint.forHost, bytes: $0) }
    }
}

extension PN532Edition {
    /// A PN533: firmware 2.7.
    static let pn533 = Self(
        firmware: [0x33, 0x02, 0x07, 0x07], registersHaveStatus: true, longestData: PN532Frames.longestData)

    /// A PN531: firmware 4.2.
    package static let pn531 = Self(
        firmware: [0x04, 0x02], registersHaveStatus: false, longestData: PN532Frames.longestData,
        describesAsOnTheAir: true)

    /// A PN533 with Sony's firmware 1.48, which libnfc takes for a chip of its own.
    static let s360 = Self(
        firmware: [0x33, 0x01, 0x30, 0x07], registersHaveStatus: false, longestData: PN532Frames.longestData,
        isSonys: true)
}

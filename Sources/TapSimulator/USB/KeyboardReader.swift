/// A reader that only types what it reads, like a keyboard: HID OMNIKEY 5427 CK in keyboard mode (076b:5428). This one
/// types nothing.
///
/// Not known from hardware: its release, its current, and that it has no other interface.
///
/// Spec: USB HID 1.11, sections 6.2, 7.2 and appendix B.1.
struct KeyboardReader: USBDevice {
    /// The report descriptor of a keyboard: eight modifiers, five lights, six keys.
    private static let report: [UInt8] = [
        0x05, 0x01, 0x09, 0x06, 0xA1, 0x01, 0x05, 0x07, 0x19, 0xE0, 0x29, 0xE7, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01,
        0x95, 0x08, 0x81, 0x02, 0x95, 0x01, 0x75, 0x08, 0x81, 0x01, 0x95, 0x05, 0x75, 0x01, 0x05, 0x08, 0x19, 0x01,
        0x29, 0x05, 0x91, 0x02, 0x95, 0x01, 0x75, 0x03, 0x91, 0x01, 0x95, 0x06, 0x75, 0x08, 0x15, 0x00, 0x25, 0x65,
        0x05, 0x07, 0x19, 0x00, 0x29, 0x65, 0x81, 0x00, 0xC0,
    ]
    private static let (descriptorKind, reportKind): (UInt8, UInt8) = (0x21, 0x22)

    let description: USBDescription
    /// Without effect.
    var muting = PowerMuting()

    init() {
        let details: [UInt8] = [
            9, Self.descriptorKind, 0x11, 0x01, 0, 1, Self.reportKind, UInt8(Self.report.count), 0,
        ]
        description = USBDescription(
            vendor: 0x076B, product: 0x5428, version: 0x0100, names: ("HID Global", "OMNIKEY 5427 CK"), power: 100,
            interfaces: [
                USBInterface(
                    number: 0, kind: (0x03, 0x01, 0x01), name: nil, details: details,
                    endpoints: [USBEndpoint(address: 0x81, kind: .interrupt, longestPacket: 8, interval: 10)],
                    classDescriptors: [Self.descriptorKind: details, Self.reportKind: Self.report])
            ])
    }

    /// The state of its keys, and the host's wishes about reports and lights.
    mutating func answer(_ request: USBRequest, _ data: [UInt8], at now: ContinuousClock.Instant) -> [UInt8]? {
        switch request.code {
        case 0x01: [UInt8](repeating: 0, count: 8)
        case 0x09, 0x0A, 0x0B: []
        default: nil
        }
    }

    mutating func reset() {}
    mutating func receive(_ bytes: [UInt8], at endpoint: UInt8, _ now: ContinuousClock.Instant) {}
    mutating func takeTransfers() -> [USBTransfer] { [] }
    mutating func takeEvents() -> [PN532Event] { [] }
}

/// No card is ever in its field, as far as a program can see.
extension KeyboardReader {
    var deadline: ContinuousClock.Instant? { nil }
    var powerLosses: Int { 0 }

    mutating func tick(at now: ContinuousClock.Instant) {}
    mutating func lay(_ target: any PN532Target) {}
    mutating func takeAway() {}
    mutating func takeQuestion() -> [UInt8]? { nil }
    mutating func cardAnswered(_ bytes: [UInt8]?) {}
}

/// WCH CH9102F (1a86:55d4), which speaks the standard's language for modems.
///
/// From the kernel's driver `cdc_acm`, for what it asks and needs. Not known from hardware: the release, the names, the
/// endpoints, and everything that this driver does not ask.
///
/// Spec: USB CDC 1.2, section 5.2; PSTN 1.2, section 6.
struct CH9102Bridge: SerialBridge {
    static var identity: USBIdentity {
        USBIdentity(
            vendor: 0x1A86, product: 0x55D4, version: 0x0443, names: ("QinHeng Electronics", "USB Single Serial"))
    }
    static var interfaces: [USBInterface] {
        // The version; no calls over the data's interface; line codings and breaks; which interface is whose.
        let details: [UInt8] = [
            5, 0x24, 0x00, 0x10, 0x01, 5, 0x24, 0x01, 0x00, 1, 4, 0x24, 0x02, 0x06, 5, 0x24, 0x06, 0, 1,
        ]
        return [
            USBInterface(
                number: 0, kind: (0x02, 0x02, 0x01), name: nil, details: details,
                // Tells of the modem's lines, none of which is connected.
                endpoints: [USBEndpoint(address: 0x83, kind: .interrupt, longestPacket: 16, interval: 1)]),
            USBInterface(
                number: 1, kind: (0x0A, 0x00, 0x00), name: nil, details: [],
                endpoints: [0x82, 0x02].map { USBEndpoint(address: $0, kind: .bulk, longestPacket: 64, interval: 0) }),
        ]
    }

    private var coding = LineCoding()

    var rate: UInt32? { coding.rate }

    mutating func answer(_ request: USBRequest, _ data: [UInt8]) -> [UInt8]? { coding.answer(request, data) }
}

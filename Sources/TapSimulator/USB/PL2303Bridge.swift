/// Prolific PL2303TA (067b:2303).
///
/// From the kernel's driver `pl2303`, for what it asks and needs. Not known from hardware: the release, which only tells the
/// driver what kind it is, what its registers mean, and everything that this driver does not ask.
struct PL2303Bridge: SerialBridge {
    static var identity: USBIdentity {
        USBIdentity(
            vendor: 0x067B, product: 0x2303, version: 0x0300,
            names: ("Prolific Technology Inc.", "USB-Serial Controller"))
    }
    static var interfaces: [USBInterface] {
        interface(
            0x00, 0x00,
            [
                // Tells of the modem's lines, none of which is connected.
                USBEndpoint(address: 0x81, kind: .interrupt, longestPacket: 10, interval: 1),
                USBEndpoint(address: 0x02, kind: .bulk, longestPacket: 64, interval: 0),
                USBEndpoint(address: 0x83, kind: .bulk, longestPacket: 64, interval: 0),
            ])
    }

    private var coding = LineCoding()

    var rate: UInt32? { coding.rate }

    mutating func answer(_ request: USBRequest, _ data: [UInt8]) -> [UInt8]? {
        switch (request.kind, request.code) {
        // Registers.
        case (0xC0, 0x01): [0]
        case (0x40, 0x01): []
        default: coding.answer(request, data)
        }
    }
}

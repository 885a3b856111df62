/// WCH CH340 (1a86:7523).
///
/// From the kernel's driver `ch341`, for what it asks and needs. Not known from hardware: the release, and everything that
/// this driver does not ask.
struct CH340Bridge: SerialBridge {
    static var identity: USBIdentity {
        USBIdentity(vendor: 0x1A86, product: 0x7523, version: 0x0264, names: ("QinHeng", "USB Serial"), power: 48)
    }
    static var interfaces: [USBInterface] {
        interface(
            0x01, 0x02,
            [
                USBEndpoint(address: 0x82, kind: .bulk, longestPacket: 32, interval: 0),
                USBEndpoint(address: 0x02, kind: .bulk, longestPacket: 32, interval: 0),
                // Tells of the modem's lines, none of which is connected.
                USBEndpoint(address: 0x81, kind: .interrupt, longestPacket: 8, interval: 1),
            ])
    }

    private static let clock: UInt32 = 48_000_000

    private(set) var rate: UInt32?

    mutating func answer(_ request: USBRequest, _ data: [UInt8]) -> [UInt8]? {
        switch (request.kind, request.code) {
        // The version: from 0x30 on, the line's form is in use.
        case (0xC0, 0x5F): return [0x31, 0x00]
        // Registers, two at a time: the break, and its line; the modem's lines, inverted.
        case (0xC0, 0x95): return request.value == 0x0706 ? [0xFF, 0xEE] : [0x01, 0xC3]
        case (0x40, 0x9A):
            if request.value == 0x1312 { rate = Self.rate(request.index) }
            return []
        case (0x40, 0xA1), (0x40, 0xA4): return []
        default: return nil
        }
    }

    /// The rate of a divisor (high byte) and a prescaler (bits 0 to 2); nearly what the host wants.
    private static func rate(_ registers: UInt16) -> UInt32 {
        let shift = 12 - 3 * UInt32(registers & 3) - UInt32(registers >> 2 & 1)
        let divisor = UInt32(256) - UInt32(registers >> 8)
        return clock / ((1 << shift) * divisor)
    }
}

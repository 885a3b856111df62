/// FTDI FT231X (0403:6015).
///
/// From the kernel's driver `ftdi_sio`, for what it asks and needs. Not known from hardware: what its memory says of its
/// pins, and everything that this driver does not ask. An idle one reports its lines now and then; this one does not.
struct FT231XBridge: SerialBridge {
    static var identity: USBIdentity {
        USBIdentity(vendor: 0x0403, product: 0x6015, version: 0x1000, names: ("FTDI", "FT231X USB UART"), power: 45)
    }
    static var interfaces: [USBInterface] {
        interface(
            0xFF, 0xFF, [0x81, 0x02].map { USBEndpoint(address: $0, kind: .bulk, longestPacket: 64, interval: 0) })
    }

    /// What each packet begins with: no line of a modem is connected, and all was sent.
    private static let status: [UInt8] = [0x01, 0x60]
    /// The rate of divisor 1, in bit/s.
    private static let fastest: UInt32 = 3_000_000
    /// The eighths of a divisor, by the code for them.
    private static let eighths: [UInt32] = [0, 4, 2, 1, 3, 5, 6, 7]

    private(set) var rate: UInt32?

    mutating func answer(_ request: USBRequest, _ data: [UInt8]) -> [UInt8]? {
        switch (request.kind, request.code) {
        case (0x40, 0x03):
            rate = Self.rate(request.value, request.index)
            return []
        // Reset, the modem's lines, flow, the line's form, special characters, how long it waits for more.
        case (0x40, 0x00), (0x40, 0x01), (0x40, 0x02), (0x40, 0x04), (0x40, 0x06), (0x40, 0x07), (0x40, 0x09): return []
        case (0xC0, 0x05): return Self.status
        // How long it waits for more before it sends a packet, in milliseconds.
        case (0xC0, 0x0A): return [16]
        // Its memory.
        case (0xC0, 0x90): return [0, 0]
        default: return nil
        }
    }

    static func wrapped(_ bytes: [UInt8], for endpoint: USBEndpoint) -> [UInt8] {
        let room = Int(endpoint.longestPacket) - status.count
        return stride(from: 0, to: bytes.count, by: room).flatMap { status + bytes[$0..<min($0 + room, bytes.count)] }
    }

    /// The rate of a divisor: 14 bits, and a code of three bits for its eighths.
    private static func rate(_ value: UInt16, _ index: UInt16) -> UInt32 {
        let whole = UInt32(value & 0x3FFF)
        let code = Int(value >> 14) | Int(index & 1) << 2
        // Two divisors have codes of their own: 1 and 1.5.
        switch (whole, code) {
        case (0, _): return fastest
        case (1, 0): return fastest * 2 / 3
        default: return fastest * 8 / (whole * 8 + eighths[code])
        }
    }
}

import ByteCodec

/// Silicon Labs CP2102 (10c4:ea60).
///
/// From the kernel's driver `cp210x`, for what it asks and needs. Not known from hardware: the release, and everything that
/// this driver does not ask.
struct CP2102Bridge: SerialBridge {
    static var identity: USBIdentity {
        USBIdentity(
            vendor: 0x10C4, product: 0xEA60, version: 0x0100,
            names: ("Silicon Labs", "CP2102 USB to UART Bridge Controller"))
    }
    static var interfaces: [USBInterface] {
        interface(
            0x00, 0x00, [0x81, 0x01].map { USBEndpoint(address: $0, kind: .bulk, longestPacket: 64, interval: 0) })
    }

    private(set) var rate: UInt32?
    private var flow = [UInt8](repeating: 0, count: 16)

    mutating func answer(_ request: USBRequest, _ data: [UInt8]) -> [UInt8]? {
        switch (request.kind, request.code) {
        // The part: a CP2102 has nothing more to tell.
        case (0xC0, 0xFF): return request.value == 0x370B ? [0x02] : nil
        case (0x41, 0x1E):
            rate = LineCoding.rate(data)
            return []
        case (0x41, 0x13):
            if data.count == flow.count { flow = data }
            return []
        // Switched on and off, the line's form, breaks, the modem's lines, flushed, special characters.
        case (0x41, 0x00), (0x41, 0x03), (0x41, 0x05), (0x41, 0x07), (0x41, 0x12), (0x41, 0x15), (0x41, 0x19): return []
        case (0xC1, 0x14): return flow
        // No line of a modem is connected, and nothing waits to be sent.
        case (0xC1, 0x08): return [0]
        case (0xC1, 0x10): return [UInt8](repeating: 0, count: 19)
        default: return nil
        }
    }
}

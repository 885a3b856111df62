/// How a serial line is set up in the standard's language for modems, which makers' bridges use as well.
///
/// Spec: USB PSTN 1.2, section 6.3.
struct LineCoding {
    /// The rate (4 bytes), the stop bits, the parity, the data bits.
    private static let length = 7

    private var bytes: [UInt8]?

    /// The line's rate, in bit/s; `nil` until the host has set it.
    var rate: UInt32? { bytes.flatMap { Self.rate($0.prefix(4)) } }

    /// A rate of 4 bytes, the lowest first; `nil` if there are not as many.
    static func rate(_ bytes: some Collection<UInt8>) -> UInt32? {
        bytes.count == 4 ? bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } : nil
    }

    /// Answers a request about the line; `nil` refuses.
    mutating func answer(_ request: USBRequest, _ data: [UInt8]) -> [UInt8]? {
        switch (request.kind, request.code) {
        case (0x21, 0x20):
            guard data.count == Self.length else { return nil }
            bytes = data
            return []
        case (0xA1, 0x21): return bytes ?? [UInt8](repeating: 0, count: Self.length)
        // The modem's lines, and breaks.
        case (0x21, 0x22), (0x21, 0x23): return []
        default: return nil
        }
    }
}

import Glibc

/// Where the virtual reader's driver listens: an IPv4 loopback address of this machine, and a port.
///
/// Other addresses are refused: the driver has no access control, and a card's responses must stay on this machine.
public struct VirtualReaderAddress: Sendable, Equatable, CustomStringConvertible {
    /// The port of the driver's first reader.
    static let firstPort: UInt16 = 35963

    let host: UInt32
    /// 1–65535.
    public let port: UInt16

    /// Parses `127.0.0.1:35963` or `localhost:35963`.
    /// - Throws: `SimulatedCardError.badAddress`.
    public init(parsing text: String) throws(SimulatedCardError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let port = UInt16(parts[1]), port > 0 else {
            throw SimulatedCardError(
                .badAddress, "Give the virtual reader as HOST:PORT, for example 127.0.0.1:35963.")
        }
        var address = in_addr()
        let host = parts[0] == "localhost" ? "127.0.0.1" : String(parts[0])
        guard inet_pton(AF_INET, host, &address) == 1, UInt32(bigEndian: address.s_addr) >> 24 == 127 else {
            throw SimulatedCardError(.badAddress, "A virtual reader must be on this machine (127.0.0.1).")
        }
        self.host = UInt32(bigEndian: address.s_addr)
        self.port = port
    }

    /// `127.0.0.1:35963`.
    public var description: String {
        [24, 16, 8, 0].map { String(host >> UInt32($0) & 0xFF) }.joined(separator: ".") + ":\(port)"
    }
}

import Glibc

/// A port of the loopback that nobody else gets as long as this lives: bound, but not listened on, so that connections
/// are refused until a `DriverPeer` listens beside it.
final class LoopbackPort: Sendable {
    /// The port's number.
    let number: UInt16
    private let reservation: Int32

    /// Reserves a free port.
    init() throws {
        (reservation, number) = try Self.bound(to: 0)
    }

    deinit { close(reservation) }

    /// Another socket bound to the port.
    func boundSocket() throws -> Int32 { try Self.bound(to: number).socket }

    private static func bound(to port: UInt16) throws -> (socket: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, 4)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &on, 4)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { throw DriverPeer.Failure(description: "cannot bind") }
        return (descriptor, UInt16(bigEndian: name.sin_port))
    }
}

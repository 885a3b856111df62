import ByteCodec
import Glibc
import Testing

@testable import TapSimulator

/// A program at a card's socket: sends bytes, and takes what comes.
final class SocketPeer {
    private let descriptor: Int32

    /// Connects; an error is the system's number.
    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw SocketFailure(number: errno) }
    }

    deinit { close(descriptor) }

    /// Sends bytes in one write.
    func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    /// What one read brings, as the reference client reads; empty when the connection ended.
    func receive() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return Array(buffer.prefix(max(0, count)))
    }

    /// One request and its answer.
    func ask(_ request: CBORMap) throws -> CBORMap {
        send(CBOREncoder.encode(.map(request)))
        return try answer()
    }

    /// The next answer.
    func answer() throws -> CBORMap {
        guard case .map(let map) = try CBORDecoder.decode(receive()) else { return [:] }
        return map
    }

    /// Says that nothing more will be sent.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }
}

/// The number of a system's error.
struct SocketFailure: Error, Equatable { let number: Int32 }

import Glibc
import LocalSockets

/// A TCP connection to the virtual reader's driver; a wake-up ends any wait.
///
/// The driver writes length and content separately, so delayed acknowledgements would cost 40 ms per exchange. They are
/// switched off after every receive, because the system switches them on again by itself.
final class VirtualReaderSocket {
    typealias Outcome = WakeUp.Outcome

    private let descriptor: Int32
    private let wakeUp: WakeUp

    /// Creates a socket that is not connected yet; `nil` if the system has none.
    init?(wakeUp: WakeUp) {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { return nil }
        self.wakeUp = wakeUp
        set(TCP_NODELAY)
    }

    deinit { close(descriptor) }

    /// Connects.
    func connect(to address: VirtualReaderAddress) -> Outcome {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = address.port.bigEndian
        name.sin_addr.s_addr = address.host.bigEndian
        let status = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if status == 0 { return .done }
        guard errno == EINPROGRESS else { return .failed(Self.reason(errno)) }
        let outcome = wakeUp.wait(for: descriptor, POLLOUT, milliseconds: 5_000)
        guard outcome == .done else { return outcome }
        var failure: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size)
        return failure == 0 ? .done : .failed(Self.reason(failure))
    }

    /// Waits for bytes and adds them to `frames`.
    func receive(into frames: inout VirtualReaderFrames) -> Outcome {
        let outcome = wakeUp.wait(for: descriptor, POLLIN)
        guard outcome == .done else { return outcome }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        set(TCP_QUICKACK)
        if count > 0 {
            frames.append(buffer.prefix(count))
            return .done
        }
        if count == 0 { return .failed("the connection was closed") }
        return errno == EAGAIN || errno == EINTR ? .done : .failed(Self.reason(errno))
    }

    /// Sends all bytes, in one write unless the system accepts fewer.
    func send(_ bytes: [UInt8]) -> Outcome { wakeUp.send(bytes, to: descriptor) }

    private func set(_ option: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}

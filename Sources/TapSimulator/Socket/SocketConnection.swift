import Glibc
import LocalSockets

/// One program's connection to a card's socket; a wake-up ends any wait.
final class SocketConnection {
    /// The result of a wait for bytes.
    enum Received: Equatable {
        case bytes([UInt8])
        /// Nothing within the time limit.
        case silence
        /// A wake-up came first.
        case woken
        /// The program is gone, or, if a wait ends with a wake-up, the server should end.
        case ended
    }

    private let descriptor: Int32
    private let wakeUp: WakeUp

    /// Takes over a descriptor.
    init(owning descriptor: Int32, wakeUp: WakeUp) {
        self.descriptor = descriptor
        self.wakeUp = wakeUp
    }

    deinit { close(descriptor) }

    /// Waits for bytes; a wake-up ends the connection.
    /// - Parameter timeout: milliseconds; -1 for no limit.
    func receive(timeout: Int32) -> Received {
        while true {
            switch wakeUp.wait(for: descriptor, POLLIN, milliseconds: timeout) {
            case .done: break
            case .timedOut: return .silence
            case .woken, .failed: return .ended
            }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 { return .bytes(Array(buffer.prefix(count))) }
            guard count < 0, errno == EAGAIN || errno == EINTR else { return .ended }
        }
    }

    /// Sends all bytes, in one write unless the system accepts fewer.
    func send(_ bytes: [UInt8]) -> WakeUp.Outcome { wakeUp.send(bytes, to: descriptor) }

    /// Sends as many bytes as the system accepts at once.
    /// - Returns: how many; `nil` if the program is gone.
    func sendSome(_ bytes: [UInt8]) -> Int? {
        let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    /// Waits once for bytes, or for room to send.
    /// - Parameters:
    ///   - timeout: milliseconds; -1 for no limit.
    ///   - hasMore: whether something is left to be sent, and room ends the wait.
    /// - Returns: `silence` also if there is room, but nothing has come.
    func receiveSome(timeout: Int32, hasMore: Bool) -> Received {
        switch wakeUp.wait(for: descriptor, hasMore ? POLLIN | POLLOUT : POLLIN, milliseconds: timeout) {
        case .done: break
        case .timedOut: return .silence
        case .woken: return .woken
        case .failed: return .ended
        }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { return .bytes(Array(buffer.prefix(count))) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .silence : .ended
    }
}

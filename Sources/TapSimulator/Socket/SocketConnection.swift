import Glibc

/// One program's connection to a card's socket; a wake-up ends any wait.
final class SocketConnection {
    /// The result of a wait for bytes.
    enum Received: Equatable {
        case bytes([UInt8])
        /// Nothing within the time limit.
        case silence
        /// The program is gone, or the server should end.
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

    /// Waits for bytes.
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
}

import Glibc
import LocalSockets

extension WakeUp {
    /// Sends all bytes on a non-blocking socket, in one write unless the system accepts fewer.
    func send(_ bytes: [UInt8], to descriptor: Int32) -> Outcome {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                let outcome = wait(for: descriptor, POLLOUT)
                guard outcome == .done else { return outcome }
            } else if errno != EINTR {
                return .failed(String(cString: strerror(errno)))
            }
        }
        return .done
    }
}

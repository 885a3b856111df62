import Bitcoin
import Glibc

/// Carries bytes between two connections until one of them ends, or something comes from outside that does not pass
/// (`RequestBound`). A CVC may pass once a browser is let in: from then on nothing is kept.
enum Relay {
    private static let bufferSize = 65_536

    /// Blocks its thread. The second connection is closed afterwards; the first is the caller's.
    /// - Parameter inside: `nil`: nobody is there.
    static func run(_ outside: Int32, _ inside: Int32?) {
        guard let inside else { return }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 16)
        defer {
            buffer.wipe()
            buffer.deallocate()
            close(inside)
        }
        var bound = RequestBound()
        while true {
            var ends = [outside, inside].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&ends, 2, -1) > 0 else {
                guard errno == EINTR else { return }
                continue
            }
            for (end, target) in zip(ends, [inside, outside]) where end.revents != 0 {
                let count = recv(end.fd, buffer.baseAddress, buffer.count, 0)
                guard count > 0 else { return }
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                if target == outside {
                    bound.answered(bytes)
                } else if let fault = bound.fault(in: bytes) {
                    _ = fault.answer.withUnsafeBytes { send($0, to: outside) }
                    return
                }
                guard send(bytes, to: target) else { return }
            }
        }
    }

    private static func send(_ bytes: UnsafeRawBufferPointer, to target: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.send(target, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

import ByteCodec
import Glibc
import LocalSockets
import Threads

/// A program at the Unix socket.
final class SocketCarrier: TestClient.Carrier {
    let inbox = Inbox()
    private let descriptor: Int32

    /// - Throws: if nobody listens at the path.
    init(_ path: String) throws {
        let address = try UnixSocket.address(path)
        descriptor = try UnixSocket.create(for: path)
        guard UnixSocket.call(Glibc.connect, descriptor, address) == 0 else {
            let reason = String(cString: strerror(errno))
            Glibc.close(descriptor)
            throw NobodyListens(reason: reason)
        }
        _ = fcntl(descriptor, F_SETFL, 0)
        let (descriptor, inbox) = (descriptor, inbox)
        _ = DetachedThread.run {
            var line: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let bounds = JSONBounds(length: 1 << 27, depth: 64, valueCount: 1 << 20)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { return inbox.end() }
                for byte in buffer.prefix(count) {
                    guard byte == UInt8(ascii: "\n") else {
                        line.append(byte)
                        continue
                    }
                    guard let message = try? JSONReader.value(line, within: bounds) else { return inbox.end() }
                    inbox.put(message)
                    line = []
                }
            }
        }
    }

    deinit { Glibc.close(descriptor) }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends nothing more, but goes on reading.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// Why a program cannot connect.
struct NobodyListens: Error { let reason: String }

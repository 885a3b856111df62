import ByteCodec
import Glibc
import LocalSockets
import Threads

/// A program at the Unix socket.
final class SocketCarrier: TestClient.Carrier {
    /// Closed when neither the program nor the thread that reads for it uses it any more.
    private final class Socket: Sendable {
        let descriptor: Int32

        init(_ path: String) throws {
            descriptor = try UnixSocket.create(for: path)
            // Waits until the service has room for it.
            _ = fcntl(descriptor, F_SETFL, 0)
            guard UnixSocket.call(Glibc.connect, descriptor, try UnixSocket.address(path)) == 0 else {
                throw NobodyListens(reason: String(cString: strerror(errno)))
            }
        }

        deinit { Glibc.close(descriptor) }
    }

    let inbox = Inbox()
    private let socket: Socket
    private var descriptor: Int32 { socket.descriptor }

    /// - Throws: if nobody listens at the path.
    init(_ path: String) throws {
        socket = try Socket(path)
        let (socket, inbox) = (socket, inbox)
        _ = DetachedThread.run { Self.read(from: socket.descriptor, into: inbox) }
    }

    deinit { close() }

    private static func read(from descriptor: Int32, into inbox: Inbox) {
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

import ByteCodec
import Glibc
import Synchronization
import Threads

/// A page: lines travel as the messages of a WebSocket (RFC 6455), masked as a browser's are.
final class PageCarrier: TestClient.Carrier {
    /// Closed when neither the page nor the thread that reads for it uses it any more.
    private final class Socket: Sendable {
        let descriptor: Int32

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { Glibc.close(descriptor) }
    }

    let inbox = Inbox()
    private let socket: Socket
    private let unsent = Mutex<[UInt8]>([])

    /// - Parameter headers: of the request; a browser adds those of the WebSocket itself.
    /// - Returns: `nil` if the service does not let it in.
    init?(_ browser: PageBrowser, _ headers: [String: String]) {
        guard let descriptor = browser.connected() else { return nil }
        socket = Socket(descriptor)
        let own = [
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        ]
        let lines = ["GET /rpc HTTP/1.1"] + headers.merging(own) { $1 }.map { "\($0): \($1)" } + ["", ""]
        PageBrowser.send(Array(lines.joined(separator: "\r\n").utf8), on: descriptor)
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let byte = Self.bytes(1, from: descriptor) else { return nil }
            head += byte
        }
        guard head.starts(with: "HTTP/1.1 101".utf8) else { return nil }
        let (socket, inbox) = (socket, inbox)
        _ = DetachedThread.run {
            Self.read(from: socket.descriptor, into: inbox)
            inbox.end()
        }
    }

    deinit { close() }

    func send(_ bytes: [UInt8]) {
        let lines = unsent.withLock { unsent -> [[UInt8]] in
            unsent += bytes
            let parts = unsent.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            unsent = Array(parts.last ?? [])
            return parts.dropLast().map(Array.init)
        }
        for line in lines { send(opcode: 1, line) }
    }

    /// Sends a frame.
    func send(opcode: UInt8, isLast: Bool = true, _ payload: [UInt8]) {
        let mask: [UInt8] = [1, 2, 3, 4]
        var frame: [UInt8] = [(isLast ? 0x80 : 0) | opcode]
        switch payload.count {
        case ...125: frame.append(0x80 | UInt8(payload.count))
        case ...0xFFFF: frame += [0x80 | 126] + (0..<2).map { UInt8(truncatingIfNeeded: payload.count >> (8 - 8 * $0)) }
        default: frame += [0x80 | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        frame += mask
        frame += payload.enumerated().map { $1 ^ mask[$0 % 4] }
        PageBrowser.send(frame, on: socket.descriptor)
    }

    func close() { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }

    private static func read(from descriptor: Int32, into inbox: Inbox) {
        let bounds = JSONBounds(length: 1 << 27, depth: 64, valueCount: 1 << 20)
        while let head = bytes(2, from: descriptor) {
            var length = Int(head[1] & 0x7F)
            if length > 125 {
                guard let size = bytes(length == 126 ? 2 : 8, from: descriptor) else { return }
                length = size.reduce(0) { $0 << 8 | Int($1) }
            }
            guard let payload = bytes(length, from: descriptor) else { return }
            // A pong.
            if head[0] == 0x8A { continue }
            guard head[0] == 0x81, let message = try? JSONReader.value(payload, within: bounds) else { return }
            inbox.put(message)
        }
    }

    private static func bytes(_ count: Int, from descriptor: Int32) -> [UInt8]? {
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(max(count, 1), 65_536))
        while content.count < count {
            let received = recv(descriptor, &buffer, min(buffer.count, count - content.count), 0)
            guard received > 0 else { return nil }
            content += buffer.prefix(received)
        }
        return content
    }
}

import Foundation
import Glibc
import Synchronization

/// A server in this process on the loopback interface, with configurable answers.
final class AnsweringServer: Sendable {
    /// Maps a line or a request to the bytes of the answer.
    typealias Answer = @Sendable (Request) -> [UInt8]

    /// A request.
    enum Request {
        /// A line of text.
        case line([UInt8])
        /// The path and the posted body.
        case http(path: String, body: [UInt8])
    }

    /// Where it listens.
    let port: UInt16

    private let answer = Mutex<Answer> { _ in [] }

    init() {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                expect(bind(listener, pointer, length) == 0 && listen(listener, 64) == 0, "a server listens")
                getsockname(listener, pointer, &length)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { continue }
                Thread.detachNewThread { self.serve(connection) }
            }
        }
    }

    /// Sets the answers from now on.
    func answer(_ answer: @escaping Answer) { self.answer.withLock { $0 = answer } }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        var reader = ConnectionReader(connection)
        while let line = reader.line() {
            let request: Request
            if line.first == UInt8(ascii: "{") || line.first == UInt8(ascii: "[") {
                request = .line(line)
            } else {
                let path = String(decoding: line, as: UTF8.self).split(separator: " ").dropFirst().first ?? ""
                var length = 0
                while let header = reader.line(), !header.isEmpty {
                    let text = String(decoding: header, as: UTF8.self).lowercased()
                    if text.hasPrefix("content-length:") { length = Int(text.dropFirst(15).filter(\.isNumber)) ?? 0 }
                }
                request = .http(path: String(path), body: reader.bytes(length))
            }
            let bytes = answer.withLock { $0 }(request)
            guard !bytes.isEmpty else { return }
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }
}

/// Reads lines and bytes from a connection.
private struct ConnectionReader {
    private let connection: Int32
    private var received: [UInt8] = []

    init(_ connection: Int32) { self.connection = connection }

    /// A line without its end; `nil` at the end of the connection.
    mutating func line() -> [UInt8]? {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = received[..<end].filter { $0 != UInt8(ascii: "\r") }
                received.removeFirst(end + 1)
                return line
            }
            guard receive() else { return nil }
        }
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        while received.count < count { guard receive() else { break } }
        defer { received.removeFirst(min(count, received.count)) }
        return Array(received.prefix(count))
    }

    private mutating func receive() -> Bool {
        var piece = [UInt8](repeating: 0, count: 16_384)
        let count = recv(connection, &piece, piece.count, 0)
        guard count > 0 else { return false }
        received += piece.prefix(count)
        return true
    }
}

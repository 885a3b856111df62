import Foundation
import Synchronization

/// What a scripted card does with a command.
public enum CardReply: Sendable {
    /// It answers with these bytes.
    case answer([UInt8])
    /// It is torn from the reader before it answers.
    case vanish
}

/// A scripted card in the virtual PC/SC reader: it answers what a closure says, on a thread of its own.
///
/// The reader's protocol: each message is a 2-byte big-endian length and the payload; payloads of one byte are
/// control: 0 power off, 1 power on, 2 reset, 4 "send your answer to reset", the only one that is answered.
public final class VirtualCard: Sendable {
    /// The answer to reset that contactless readers make up for a tap card.
    public static let answerToReset: [UInt8] = [
        0x3B, 0x88, 0x80, 0x01, 0x43, 0x6F, 0x69, 0x6E, 0x6B, 0x69, 0x74, 0x65, 0x31,
    ]

    private let port: UInt16
    private let answer: @Sendable ([UInt8]) -> CardReply
    private let power: @Sendable () -> Void
    private let connection = Mutex<Connection?>(nil)

    /// A card that is not on the reader yet.
    /// - Parameters:
    ///   - port: the reader's TCP port.
    ///   - power: called on power on, power off and reset.
    ///   - answer: called with each command; may sleep, never answers fewer than two bytes.
    public init(
        port: UInt16, power: @escaping @Sendable () -> Void = {},
        answer: @escaping @Sendable ([UInt8]) -> CardReply
    ) {
        self.port = port
        self.power = power
        self.answer = answer
    }

    /// Takes the card away.
    deinit { pull() }

    /// Lays the card on the reader. The service notices within half a second.
    /// - Throws: `POSIXError` when nothing listens on the port.
    public func insert() throws {
        let connection = try Connection(port: port)
        self.connection.withLock { $0 = connection }
        let answer = answer
        let power = power
        Thread.detachNewThread { Self.serve(connection, power, answer) }
    }

    /// Takes the card from the reader, in the middle of a command if there is one. The service notices within half a
    /// second.
    public func pull() {
        connection.withLock {
            $0?.shutDown()
            $0 = nil
        }
    }

    private static func serve(
        _ connection: Connection, _ power: () -> Void, _ answer: ([UInt8]) -> CardReply
    ) {
        defer { connection.shutDown() }
        while let header = connection.read(2),
            let message = connection.read(Int(header[0]) << 8 | Int(header[1]))
        {
            switch (message.count, message.first) {
            case (1, 4): connection.write(answerToReset)
            case (0, _): break
            case (1, _): power()
            default:
                guard case .answer(let bytes) = answer(message) else { return }
                connection.write(bytes)
            }
        }
    }
}

/// The line to the virtual reader; closed with the last reference.
private final class Connection: Sendable {
    private let socket: Int32

    init(port: UInt16) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        set(TCP_NODELAY)
    }

    deinit { close(socket) }

    /// Ends the conversation, from any thread.
    func shutDown() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// That many bytes; `nil` when the other side ended.
    func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            // Without it the reader's second write waits for our delayed acknowledgement of the first.
            set(Int32(TCP_QUICKACK))
            var part = [UInt8](repeating: 0, count: count - bytes.count)
            let received = recv(socket, &part, part.count, 0)
            guard received > 0 else { return nil }
            bytes += part.prefix(received)
        }
        return bytes
    }

    /// One message in one write.
    func write(_ payload: [UInt8]) {
        let message = [UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
        _ = send(socket, message, message.count, Int32(MSG_NOSIGNAL))
    }

    private func set(_ option: Int32) {
        var on: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), option, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}

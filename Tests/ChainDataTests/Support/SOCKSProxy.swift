import Foundation
import Synchronization
import TestSupport

/// A SOCKS5 proxy (RFC 1928) that notes what it is asked for, and leads everything to one port on loopback.
final class SOCKSProxy: Sendable {
    /// What the proxy was asked to connect to.
    enum Destination: Hashable, Sendable {
        case name(String, UInt16)
        case address([UInt8], UInt16)
    }

    private final class Seen: Sendable {
        let destinations = Mutex<[Destination]>([])
    }

    private let server: ScriptedServer
    private let seen: Seen

    /// Starts it.
    /// - Parameter status: what it answers: 0 takes the connection, 2 is "not allowed by ruleset".
    init(leadingTo target: UInt16, status: UInt8 = 0) throws {
        let seen = Seen()
        self.seen = seen
        server = try ScriptedServer { connection, _ in
            let greeting = try connection.read(exactly: 2)
            _ = try connection.read(exactly: Int(greeting[1]))
            try connection.write([5, 0])
            let request = try connection.read(exactly: 4)
            let isName = request[3] == 3
            let length = isName ? Int(try connection.read(exactly: 1)[0]) : request[3] == 4 ? 16 : 4
            let host = try connection.read(exactly: length)
            let port = try connection.read(exactly: 2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
            let destination =
                isName ? Destination.name(String(decoding: host, as: UTF8.self), port) : .address(host, port)
            seen.destinations.withLock { $0.append(destination) }
            try connection.write([5, status, 0, 1, 0, 0, 0, 0, 0, 0])
            guard status == 0 else { return }
            let onward = try LoopbackSocket(port: target)
            Thread.detachNewThread {
                try? Self.copy(onward, connection)
                connection.end()
            }
            try Self.copy(connection, onward)
            onward.end()
        }
    }

    var port: UInt16 { server.port }
    var destinations: [Destination] { seen.destinations.withLock { $0 } }

    private static func copy(_ source: LoopbackSocket, _ target: LoopbackSocket) throws {
        while true {
            let bytes = try source.read()
            if bytes.isEmpty { return }
            try target.write(bytes)
        }
    }
}

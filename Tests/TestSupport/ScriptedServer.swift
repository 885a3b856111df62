import Foundation
import Synchronization

/// A server on loopback that does what a test says, good or bad. Every connection has a thread of its own.
public final class ScriptedServer: Sendable {
    private let listener: LoopbackListener
    private let connections = Mutex<[LoopbackSocket]>([])

    /// Starts it.
    /// - Parameter serve: given a connection and its number from 0; the connection ends when it returns or throws.
    public init(_ serve: @escaping @Sendable (LoopbackSocket, Int) throws -> Void) throws {
        listener = try LoopbackListener()
        Thread.detachNewThread { [listener, weak self] in
            var count = 0
            while let connection = listener.accept() {
                let number = count
                count += 1
                self?.connections.withLock { $0.append(connection) }
                Thread.detachNewThread {
                    try? serve(connection, number)
                    connection.end()
                }
            }
        }
    }

    deinit {
        listener.end()
        for connection in connections.withLock({ $0 }) { connection.end() }
    }

    /// Where it listens.
    public var port: UInt16 { listener.port }

    /// How often somebody connected.
    public var connectionCount: Int { connections.withLock { $0.count } }
}

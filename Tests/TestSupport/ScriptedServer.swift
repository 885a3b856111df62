import Foundation
import Synchronization

/// A server on loopback that does what a test says, good or bad. Every connection has a thread of its own.
public final class ScriptedServer: Sendable {
    private let listener: LoopbackListener
    private let connections = Mutex<[Int: LoopbackSocket]>([:])
    private let count = Atomic(0)

    /// Starts it.
    /// - Parameter serve: given a connection and its number from 0; the connection ends when it returns or throws.
    public init(_ serve: @escaping @Sendable (LoopbackSocket, Int) throws -> Void) throws {
        listener = try LoopbackListener()
        Thread.detachNewThread { [listener, weak self] in
            var number = 0
            while let connection = listener.accept() {
                self?.began(connection, number)
                Thread.detachNewThread { [number, weak self] in
                    try? serve(connection, number)
                    connection.end()
                    self?.ended(number)
                }
                number += 1
            }
        }
    }

    private func began(_ connection: LoopbackSocket, _ number: Int) {
        count.add(1, ordering: .relaxed)
        connections.withLock { $0[number] = connection }
    }

    /// Lets go of a connection: libnfc ends a process that has more than a thousand open files.
    private func ended(_ number: Int) { connections.withLock { $0[number] = nil } }

    deinit {
        listener.end()
        for connection in connections.withLock({ $0 }).values { connection.end() }
    }

    /// Where it listens.
    public var port: UInt16 { listener.port }

    /// How often somebody connected.
    public var connectionCount: Int { count.load(ordering: .relaxed) }
}

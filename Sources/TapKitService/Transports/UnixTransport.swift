import Glibc
import LocalSockets
import Synchronization
import Threads

/// JSON-RPC over a Unix socket: one JSON text a line. Only programs of the same user are served, whom the kernel names.
package final class UnixTransport: Transport {
    private let door: SocketDoor
    private let idleTime: Duration?
    private let wakeUp: WakeUp
    private let isStopped = Atomic<Bool>(false)

    /// - Parameters:
    ///   - door: where programs come in.
    ///   - idleTime: how long nobody may need the service before `run` ends by itself; `nil`: it does not.
    /// - Throws: `LocalSocketError` if the system has no descriptors left.
    package init(_ door: SocketDoor, endingWhenIdleFor idleTime: Duration? = nil) throws(LocalSocketError) {
        (self.door, self.idleTime) = (door, idleTime)
        wakeUp = try WakeUp()
    }

    /// Serves until `stop`, or until nobody needs it any more; then removes the socket.
    package func run(_ processor: ServiceProcessor) {
        defer { door.remove() }
        var idleSince: ContinuousClock.Instant?
        while !isStopped.load(ordering: .acquiring) {
            let outcome = wakeUp.wait(for: door.descriptor, POLLIN, milliseconds: idleTime == nil ? -1 : Self.look)
            if outcome == .done { welcome(processor) }
            guard let idleTime else { continue }
            guard processor.isIdle else {
                idleSince = nil
                continue
            }
            let now = ContinuousClock.now
            guard let since = idleSince else {
                idleSince = now
                continue
            }
            if now - since >= idleTime { return }
        }
    }

    /// Ends `run`.
    package func stop() {
        isStopped.store(true, ordering: .releasing)
        wakeUp.call()
    }

    /// How often it is checked whether somebody needs the service, in milliseconds.
    private static let look: Int32 = 500

    private func welcome(_ processor: ServiceProcessor) {
        guard let descriptor = door.accept() else {
            // The system is out of descriptors: the connection has to wait.
            if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { _ = wakeUp.wait(milliseconds: 100) }
            return
        }
        guard let peer = Peer(of: descriptor), peer.user == geteuid(), let line = try? SocketLine(descriptor, processor)
        else {
            close(descriptor)
            return
        }
        guard let client = processor.join(peer, by: line) else {
            line.send(processor.tooManyClients)
            line.end()
            _ = DetachedThread.run { line.flush() }
            return
        }
        if !DetachedThread.run({ line.run(client) }) { client.leave() }
    }
}

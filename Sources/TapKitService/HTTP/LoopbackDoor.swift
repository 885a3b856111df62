import Glibc
import LocalSockets
import Synchronization
import Threads

/// Where browsers come in: a port of 127.0.0.1, and the same port of an address of the loopback network that nobody can
/// foresee. Only programs of the same user get further; nothing is read from others.
///
/// Browsers keep what a server once gave them, such as its service workers, for its address and port. Another user's server
/// can have been at any port of 127.0.0.1 before, but not at an address that is drawn now.
final class LoopbackDoor: Sendable {
    /// The addresses, the known one first: `127.0.0.1`, and for example `127.83.4.201`.
    let hosts: [String]
    let port: UInt16
    private let listeners: [(end: LoopbackEnd, descriptor: Int32)]
    private let wakeUp: WakeUp
    private let isStopped = Atomic<Bool>(false)
    /// The browsers' ends of the connections.
    private let connections = Mutex<Set<Int32>>([])

    /// The most connections at once; a browser has about ten.
    private static let mostConnections = 64
    /// How often a port that is free at both addresses is looked for.
    private static let attempts = 20

    /// - Throws: `LocalSocketError` if there is no loopback interface, or no free port.
    init() throws(LocalSocketError) {
        wakeUp = try WakeUp()
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<Self.attempts {
            let parts = (0..<3).map { _ in UInt32.random(in: 1...254, using: &generator) }
            let drawn = 127 << 24 | parts[0] << 16 | parts[1] << 8 | parts[2]
            guard let known = Self.listener(at: 0x7F00_0001, 0) else { break }
            guard let other = Self.listener(at: drawn, known.end.port) else {
                close(known.descriptor)
                continue
            }
            (listeners, port) = ([known, other], known.end.port)
            hosts = ["127.0.0.1", "127.\(parts[0]).\(parts[1]).\(parts[2])"]
            return
        }
        throw LocalSocketError(.failed, "There is no free port at 127.0.0.1.")
    }

    deinit { for listener in listeners { close(listener.descriptor) } }

    /// Passes connections on to the socket at a path until `stop`. Blocks its thread.
    func run(to path: String) {
        while !isStopped.load(ordering: .acquiring) {
            var descriptors = ([wakeUp.reading] + listeners.map(\.descriptor)).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&descriptors, nfds_t(descriptors.count), -1) > 0 else { continue }
            for (listener, state) in zip(listeners, descriptors.dropFirst()) where state.revents != 0 {
                welcome(at: listener, to: path)
            }
        }
        connections.withLock { for connection in $0 { shutdown(connection, Int32(SHUT_RDWR)) } }
    }

    /// Ends `run`, and all connections. From now on nobody can connect.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        for listener in listeners { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }
        wakeUp.call()
    }

    private func welcome(at listener: (end: LoopbackEnd, descriptor: Int32), to path: String) {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                accept(listener.descriptor, $0, &length)
            }
        }
        guard descriptor >= 0 else {
            // The system is out of descriptors: the connection has to wait.
            if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { _ = wakeUp.wait(milliseconds: 100) }
            return
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let client = LoopbackEnd(address: address.sin_addr.s_addr, port: UInt16(bigEndian: address.sin_port))
        let isWelcome =
            LoopbackOwner.user(from: client, to: listener.end) == geteuid()
            && connections.withLock { connections in
                guard connections.count < Self.mostConnections else { return false }
                connections.insert(descriptor)
                return true
            }
        guard isWelcome else {
            close(descriptor)
            return
        }
        let isRunning = DetachedThread.run { [self] in
            Relay.run(descriptor, UnixSocket.connected(to: path))
            leave(descriptor)
        }
        if !isRunning { leave(descriptor) }
    }

    private func leave(_ descriptor: Int32) {
        // Its number may be another one's as soon as it is closed.
        connections.withLock { connections in
            connections.remove(descriptor)
            close(descriptor)
        }
    }

    /// - Parameters:
    ///   - address: in this machine's byte order.
    ///   - port: 0: any that is free.
    private static func listener(at address: UInt32, _ port: UInt16) -> (end: LoopbackEnd, descriptor: Int32)? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = address.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                descriptor >= 0 && bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0
                    && fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isListening else {
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
        return (LoopbackEnd(address: name.sin_addr.s_addr, port: UInt16(bigEndian: name.sin_port)), descriptor)
    }
}

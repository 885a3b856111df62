import Glibc
import LocalSockets
import Threads

/// Where the host's end of usbredir is found: at a Unix socket that it listens on, or that is made for it.
final class HostDoor: Sendable {
    /// What came of waiting for the host's end.
    enum Arrival {
        case connection(SocketConnection)
        /// A wake-up came first.
        case woken
        /// The host's end does not listen now, with the system's reason.
        case absent(String)
    }

    private let path: String
    /// `nil` if the host's end listens.
    private let listener: ListeningSocket?
    /// The connection with which it was found out that the host's end listens; -1 once it is used.
    private let first = Monitor<Int32>(-1)

    /// - Throws: `SimulatedCardError`: see `USBReaderServer`.
    init(path: String) throws(SimulatedCardError) {
        self.path = path
        switch try Self.connect(to: path) {
        case .success(let descriptor):
            listener = nil
            first.withLock { $0 = descriptor }
        case .failure:
            listener = try SimulatedCardError.explaining { () throws(LocalSocketError) in
                try ListeningSocket(path: path)
            }
        }
    }

    deinit {
        let descriptor = first.withLock { $0 }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether the host's end has made the socket.
    var isHosts: Bool { listener == nil }

    /// Waits for the host's end.
    func open(_ wakeUp: WakeUp) -> Arrival {
        if let listener { return listener.accept(wakeUp: wakeUp).map { .connection($0) } ?? .woken }
        let known = first.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
        if known >= 0 { return .connection(SocketConnection(owning: known, wakeUp: wakeUp)) }
        do throws(SimulatedCardError) {
            switch try Self.connect(to: path) {
            case .success(let descriptor): return .connection(SocketConnection(owning: descriptor, wakeUp: wakeUp))
            case .failure(let absence): return .absent(absence.reason)
            }
        } catch { return .absent(error.message) }
    }

    /// Removes the socket, if it was made here.
    func remove() { listener?.remove() }

    private struct Absence: Error {
        let reason: String
    }

    private static func connect(to path: String) throws(SimulatedCardError) -> Result<Int32, Absence> {
        let (address, descriptor) = try SimulatedCardError.explaining { () throws(LocalSocketError) in
            (try UnixSocket.address(path), try UnixSocket.create(for: path))
        }
        if UnixSocket.call(Glibc.connect, descriptor, address) == 0 { return .success(descriptor) }
        let reason = String(cString: strerror(errno))
        close(descriptor)
        return .failure(Absence(reason: reason))
    }
}

import Glibc
import LocalSockets

/// Where programs come in: a socket that was made at a path, or one that systemd made and listens on for us.
package final class SocketDoor: Sendable {
    /// systemd's first descriptor. Spec: sd_listen_fds(3).
    private static let firstGiven: Int32 = 3

    /// Its path.
    package let path: String
    let descriptor: Int32
    private let listener: ListeningSocket?

    /// Makes a socket for its owner only.
    /// - Parameter path: where; a socket that nobody listens on any more is replaced, anything else is left alone.
    /// - Throws: `LocalSocketError`.
    package init(at path: String) throws(LocalSocketError) {
        let made = try ListeningSocket(path: path, backlog: 64)
        (listener, descriptor, self.path) = (made, made.descriptor, path)
    }

    /// The socket that systemd gives.
    /// - Parameter environment: a variable's value; `nil` when unset or empty.
    /// - Returns: `nil` if it gives none to this process, or something other than a Unix socket that listens.
    package init?(environment: (String) -> String?) {
        guard environment("LISTEN_PID").flatMap({ pid_t($0) }) == getpid(), environment("LISTEN_FDS") == "1",
            Self.isListening(Self.firstGiven), let path = Self.path(of: Self.firstGiven)
        else { return nil }
        _ = fcntl(Self.firstGiven, F_SETFD, FD_CLOEXEC)
        _ = fcntl(Self.firstGiven, F_SETFL, O_NONBLOCK)
        (listener, descriptor, self.path) = (nil, Self.firstGiven, path)
    }

    /// Removes the socket, if it was made here.
    package func remove() { listener?.remove() }

    /// The next program's connection; `nil` if none waits.
    func accept() -> Int32? {
        let connection = Glibc.accept(descriptor, nil, nil)
        guard connection >= 0 else { return nil }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        _ = fcntl(connection, F_SETFL, O_NONBLOCK)
        return connection
    }

    private static func isListening(_ descriptor: Int32) -> Bool {
        var (isListening, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0 && isListening != 0
    }

    private static func path(of descriptor: Int32) -> String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard status == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        return withUnsafeBytes(of: &address.sun_path) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

import Glibc

/// A Unix stream socket at a path, for its owner only.
///
/// Nothing at the path, or a socket that nobody listens on, makes room. A socket with a listener, and anything that is
/// not a socket, is left alone. The folder is locked meanwhile, so that two servers that find the same stale socket do
/// not overwrite each other.
final class ListeningSocket: Sendable {
    /// The most bytes that the system accepts as a socket's path.
    static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    private let path: String
    private let descriptor: Int32
    private let device: dev_t
    private let inode: ino_t

    /// Creates the socket, and listens.
    /// - Throws: see `CardSocketServer`.
    init(path: String) throws(SimulatedCardError) {
        let address = try Self.address(path)
        let lock = try FolderLock(around: path, of: "socket")
        defer { lock.release() }
        try Self.makeRoom(at: path, address)
        let descriptor = try Self.newSocket(path)
        var isKept = false
        defer { if !isKept { close(descriptor) } }
        guard Self.call(bind, descriptor, address) == 0 else { throw Self.failure("made", path) }
        // Nobody can connect before `listen`, so the mode is set in time.
        var status = stat()
        guard chmod(path, 0o600) == 0, lstat(path, &status) == 0, listen(descriptor, 16) == 0 else {
            let failure = Self.failure("made", path)
            unlink(path)
            throw failure
        }
        isKept = true
        self.path = path
        self.descriptor = descriptor
        (device, inode) = (status.st_dev, status.st_ino)
    }

    deinit {
        remove()
        close(descriptor)
    }

    /// Waits for the next program; `nil` if a wake-up or a failure comes first.
    func accept(wakeUp: WakeUp) -> SocketConnection? {
        guard wakeUp.wait(for: descriptor, POLLIN) == .done else { return nil }
        let connection = Glibc.accept(descriptor, nil, nil)
        if connection >= 0 {
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            _ = fcntl(connection, F_SETFL, O_NONBLOCK)
            return SocketConnection(owning: connection, wakeUp: wakeUp)
        }
        // The system is out of descriptors: the connection has to wait.
        if errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM {
            _ = wakeUp.wait(milliseconds: 100)
        }
        return nil
    }

    /// Removes the socket, unless another one is now at its path.
    func remove() {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else { return }
        unlink(path)
    }

    /// Removes a socket that nobody listens on.
    private static func makeRoom(at path: String, _ address: sockaddr_un) throws(SimulatedCardError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw failure("looked at", path)
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SimulatedCardError(.exists, "\(path) already exists and is not a socket.")
        }
        let probe = try newSocket(path)
        defer { close(probe) }
        guard call(connect, probe, address) != 0, errno != EAGAIN else {
            throw SimulatedCardError(.inUse, "Another process is already serving a card at \(path).")
        }
        // Any other error does not show that nobody listens.
        guard errno == ECONNREFUSED else { throw failure("checked for a listener", path) }
        guard unlink(path) == 0 else { throw failure("replaced", path) }
    }

    private static func newSocket(_ path: String) throws(SimulatedCardError) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw failure("made", path) }
        return descriptor
    }

    private static func address(_ path: String) throws(SimulatedCardError) -> sockaddr_un {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= longestPath, !bytes.contains(0) else {
            throw SimulatedCardError(
                .badAddress, "The path of a socket must have 1 to \(longestPath) bytes; this one has \(bytes.count).")
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return address
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32, _ address: sockaddr_un
    ) -> Int32 {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func failure(_ what: String, _ path: String) -> SimulatedCardError {
        SimulatedCardError(.fileFailed, "The socket \(path) could not be \(what): \(String(cString: strerror(errno))).")
    }
}

import Glibc

/// A Unix stream socket at a path, for its owner only.
///
/// Nothing at the path, or a socket that nobody listens on, makes room. A socket with a listener, and anything that is
/// not a socket, is left alone. The folder is locked meanwhile, so that two servers that find the same stale socket do
/// not overwrite each other.
final class ListeningSocket: Sendable {
    private let path: String
    private let descriptor: Int32
    private let device: dev_t
    private let inode: ino_t

    /// Creates the socket, and listens.
    /// - Throws: see `CardSocketServer`.
    init(path: String) throws(SimulatedCardError) {
        let address = try UnixSocket.address(path)
        let lock = try FolderLock(around: path, of: "socket")
        defer { lock.release() }
        try Self.makeRoom(at: path, address)
        let descriptor = try UnixSocket.create(for: path)
        var isKept = false
        defer { if !isKept { close(descriptor) } }
        guard UnixSocket.call(bind, descriptor, address) == 0 else { throw UnixSocket.failure("made", path) }
        // Nobody can connect before `listen`, so the mode is set in time.
        var status = stat()
        guard chmod(path, 0o600) == 0, lstat(path, &status) == 0, listen(descriptor, 16) == 0 else {
            let failure = UnixSocket.failure("made", path)
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
            throw UnixSocket.failure("looked at", path)
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SimulatedCardError(.exists, "\(path) already exists and is not a socket.")
        }
        let probe = try UnixSocket.create(for: path)
        defer { close(probe) }
        guard UnixSocket.call(connect, probe, address) != 0, errno != EAGAIN else {
            throw SimulatedCardError(.inUse, "Another process is already serving a card at \(path).")
        }
        // Any other error does not show that nobody listens.
        guard errno == ECONNREFUSED else { throw UnixSocket.failure("checked for a listener", path) }
        guard unlink(path) == 0 else { throw UnixSocket.failure("replaced", path) }
    }
}

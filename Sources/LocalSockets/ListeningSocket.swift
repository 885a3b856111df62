import Glibc

/// A Unix stream socket at a path, for its owner only.
///
/// Nothing at the path, or a socket that nobody listens on, makes room. A socket with a listener, and anything that is
/// not a socket, is left alone. The folder is locked meanwhile, so that two servers that find the same stale socket do
/// not overwrite each other.
package final class ListeningSocket: Sendable {
    private let path: String
    /// The socket; it never blocks, and is open as long as this object is.
    package let descriptor: Int32
    private let device: dev_t
    private let inode: ino_t

    /// Creates the socket, and listens.
    /// - Parameters:
    ///   - path: 1–107 bytes.
    ///   - backlog: how many programs may wait to be accepted.
    /// - Throws: `LocalSocketError`.
    package init(path: String, backlog: Int32 = 16) throws(LocalSocketError) {
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
        guard chmod(path, 0o600) == 0, lstat(path, &status) == 0, listen(descriptor, backlog) == 0 else {
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

    /// Removes the socket, unless another one is now at its path.
    package func remove() {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else { return }
        unlink(path)
    }

    /// Removes a socket that nobody listens on.
    private static func makeRoom(at path: String, _ address: sockaddr_un) throws(LocalSocketError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw UnixSocket.failure("looked at", path)
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw LocalSocketError(.exists, "\(path) already exists and is not a socket.")
        }
        let probe = try UnixSocket.create(for: path)
        defer { close(probe) }
        guard UnixSocket.call(connect, probe, address) != 0, errno != EAGAIN else {
            throw LocalSocketError(.inUse, "Another process already listens at \(path).")
        }
        // Any other error does not show that nobody listens.
        guard errno == ECONNREFUSED else { throw UnixSocket.failure("checked for a listener", path) }
        guard unlink(path) == 0 else { throw UnixSocket.failure("replaced", path) }
    }
}

import Glibc

/// Locks the folder in which a server creates its door, so that two servers that want the same place do not overwrite
/// each other.
package final class FolderLock {
    /// How long to wait for another server's lock, in steps of 10 ms.
    private static let patience = 200

    private var descriptor: Int32

    /// Takes the lock.
    /// - Parameters:
    ///   - path: where the door is to be created.
    ///   - door: what it is, for messages.
    /// - Throws: `LocalSocketError.failed` if there is no such folder, or its lock is not released.
    package init(around path: String, of door: String) throws(LocalSocketError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(door, path) }
        for _ in 0..<Self.patience {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            usleep(10_000)
        }
        let failure = Self.failure(door, path)
        release()
        throw failure
    }

    deinit { release() }

    /// Releases the lock.
    package func release() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    private static func failure(_ door: String, _ path: String) -> LocalSocketError {
        LocalSocketError(.failed, "Cannot create the \(door) \(path): \(String(cString: strerror(errno))).")
    }
}

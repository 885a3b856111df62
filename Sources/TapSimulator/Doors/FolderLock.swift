import Glibc

/// The lock of the folder in which a server puts its door, so that of two servers that want the same place one does not
/// take the other's.
final class FolderLock {
    /// How long another server's lock is waited for, in steps of 10 ms.
    private static let patience = 200

    private var descriptor: Int32

    /// Takes the lock.
    /// - Parameters:
    ///   - path: where the door shall be.
    ///   - door: what it is, for people.
    /// - Throws: `SimulatedCardError.fileFailed` when there is no such folder, or its lock is not given back.
    init(around path: String, of door: String) throws(SimulatedCardError) {
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

    /// Gives the lock back.
    func release() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    private static func failure(_ door: String, _ path: String) -> SimulatedCardError {
        SimulatedCardError(.fileFailed, "The \(door) \(path) cannot be made: \(String(cString: strerror(errno))).")
    }
}

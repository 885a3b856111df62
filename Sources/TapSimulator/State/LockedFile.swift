import Glibc

/// An open file that only this process uses, for as long as the value lives.
///
/// The lock is on the inode at the path. Before a `rename` replaces the file, the new file is locked; a process that opened
/// the old inode notices and tries again.
final class LockedFile {
    /// How long a held lock is tried, in steps of 10 ms: an ending process, or a child process before its exec, holds it
    /// for a moment longer.
    private static let patience = 25

    let path: String
    private let descriptor: Int32

    /// Opens and locks.
    /// - Parameter creating: whether the file is to be written, and made if there is none.
    /// - Throws: `.notFound`, `.inUse`; `.unreadable` or, if `creating`, `.fileFailed`.
    init(path: String, creating: Bool = false) throws(SimulatedCardError) {
        self.path = path
        let kind: SimulatedCardError.Kind = creating ? .fileFailed : .unreadable
        var triesLeft = Self.patience
        while true {
            let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (creating ? O_CREAT : 0)
            let descriptor = Glibc.open(path, flags, 0o600)
            guard descriptor >= 0 else { throw Self.failure("opened", path, kind) }
            do throws(SimulatedCardError) { try Self.requireFile(descriptor, path, kind) } catch {
                Glibc.close(descriptor)
                throw error
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let isTaken = errno == EWOULDBLOCK
                Glibc.close(descriptor)
                if isTaken, triesLeft > 0 {
                    triesLeft -= 1
                    usleep(10_000)
                    continue
                }
                throw isTaken
                    ? SimulatedCardError(.inUse, "Another process is using the simulated card \(path).")
                    : Self.failure("locked", path, kind)
            }
            if Self.isAt(path, descriptor) {
                self.descriptor = descriptor
                return
            }
            Glibc.close(descriptor)
        }
    }

    deinit { Glibc.close(descriptor) }

    /// The whole content.
    /// - Parameter limit: the most bytes that a card's file may have.
    func content(limit: Int) throws(SimulatedCardError) -> [UInt8] {
        try Self.content(of: descriptor, path: path, limit: limit)
    }

    /// The content of a file that may be in use.
    /// - Throws: `.notFound`, `.unreadable`; `.damaged` beyond the limit.
    static func content(at path: String, limit: Int) throws(SimulatedCardError) -> [UInt8] {
        // Nobody writes to a FIFO at this path: it is not waited for.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw failure("opened", path, .unreadable) }
        defer { Glibc.close(descriptor) }
        try requireFile(descriptor, path, .unreadable)
        return try content(of: descriptor, path: path, limit: limit)
    }

    private static func content(
        of descriptor: Int32, path: String, limit: Int
    ) throws(SimulatedCardError) -> [UInt8] {
        var content: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 14)
        while content.count <= limit {
            let got = part.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(content.count)) }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw failure("read", path, .unreadable) }
            if got == 0 { return content }
            content += part[..<got]
        }
        throw SimulatedCardError(.damaged, "\(path) is too large for a simulated card.")
    }

    /// Replaces the content, down to the disk, in a file that only its owner may open.
    func write(_ content: [UInt8]) throws(SimulatedCardError) {
        guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
            throw Self.failure("written", path, .fileFailed)
        }
        var count = 0
        while count < content.count {
            let put = content.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress.map { $0 + count }, content.count - count, off_t(count))
            }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { throw Self.failure("written", path, .fileFailed) }
            count += put
        }
        guard fsync(descriptor) == 0 else { throw Self.failure("written", path, .fileFailed) }
    }

    /// The failure that `errno` indicates.
    /// - Parameter kind: what it is, unless there is no such file.
    static func failure(
        _ what: String, _ path: String, _ kind: SimulatedCardError.Kind
    ) -> SimulatedCardError {
        let reason = String(cString: strerror(errno))
        return errno == ENOENT
            ? SimulatedCardError(.notFound, "The simulated card \(path) does not exist.")
            : SimulatedCardError(kind, "\(path) could not be \(what): \(reason).")
    }

    /// Confirms that it is a file with content of its own: no folder, FIFO or device.
    private static func requireFile(
        _ descriptor: Int32, _ path: String, _ kind: SimulatedCardError.Kind
    ) throws(SimulatedCardError) {
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw SimulatedCardError(kind, "\(path) is not a regular file.")
        }
    }

    private static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
        var opened = stat()
        var named = stat()
        guard fstat(descriptor, &opened) == 0, lstat(path, &named) == 0 else { return false }
        return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }
}

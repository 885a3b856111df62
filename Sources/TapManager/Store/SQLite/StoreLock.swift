import Glibc

/// A lock between processes, and between two holders in one process; released with its holder, however that ends.
final class StoreLock: Sendable {
    /// Who else may hold the lock.
    enum Kind {
        case shared
        case alone

        fileprivate var operation: Int32 { self == .shared ? LOCK_SH : LOCK_EX }
    }

    /// How long to wait for others.
    static let patience: Duration = .seconds(10)
    private static let pause: UInt32 = 2_000

    private let path: String
    private let descriptor: Int32

    /// The lock on a file, which is created if necessary and `isMade` is set; not taken yet.
    init(file path: String, isMade: Bool) throws(StoreError) {
        self.path = path
        let creation = isMade ? O_RDWR | O_CREAT : O_RDONLY
        descriptor = open(path, creation | O_NOFOLLOW | O_CLOEXEC, StoreFiles.fileMode)
        guard descriptor >= 0 else { throw StoreError(errorNumber: errno, path: path) }
        if isMade { fchmod(descriptor, StoreFiles.fileMode) }
    }

    /// The lock on a folder, not taken yet.
    init(folder path: String) throws(StoreError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError(errorNumber: errno, path: path) }
    }

    deinit { close(descriptor) }

    /// Takes the lock, waiting for others.
    /// - Throws: `.busy` if they take longer than `patience`.
    func take(_ kind: Kind) throws(StoreError) {
        let deadline = ContinuousClock.now + Self.patience
        while !takeIfFree(kind) {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw StoreError(errorNumber: errno, path: path) }
            guard ContinuousClock.now < deadline else { throw .busy(path: path) }
            usleep(Self.pause)
        }
    }

    /// Takes the lock if nobody else holds it. If that fails, what was held before is released.
    func takeIfFree(_ kind: Kind) -> Bool { flock(descriptor, kind.operation | LOCK_NB) == 0 }

    /// Takes the lock exclusively if others release it within a moment: a process that is starting another also keeps
    /// its locks until that one runs.
    func takeAloneSoon() -> Bool {
        for _ in 0..<Self.moments {
            if takeIfFree(.alone) { return true }
            // Nobody else shall take it exclusively meanwhile.
            _ = takeIfFree(.shared)
            usleep(Self.moment)
        }
        return takeIfFree(.alone)
    }

    private static let moments = 25
    private static let moment: UInt32 = 10_000
}

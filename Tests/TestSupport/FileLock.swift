import Foundation

/// A lock that holds between processes, and between two holders in one; it goes with its holder, however that ends.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// Opens the lock without taking it.
    /// - Parameter name: what the lock is for; part of the file's name.
    init(_ name: String) throws {
        descriptor = open(Self.path(name), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    /// Where the lock's file is: in the folder that this run of the tests has for itself, as its service and readers are
    /// (`TestMachine`).
    static func path(_ name: String) -> String { "/run/tapkit-tests-\(name)" }

    /// Takes the lock, waiting for others.
    /// - Parameter isShared: whether others may have it shared, too.
    func take(isShared: Bool = false) throws {
        while flock(descriptor, isShared ? LOCK_SH : LOCK_EX) != 0 {
            guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }
    }

    /// Takes the lock for itself alone if nobody has it.
    func takeIfFree() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// A note to the next holder, which outlives this one.
    var note: Bool {
        get { lseek(descriptor, 0, SEEK_END) > 0 }
        set { _ = ftruncate(descriptor, newValue ? 1 : 0) }
    }
}

import Glibc
import SmartCard

/// Keeps two programs of the same user from driving one port: libnfc allows it, and the second breaks the first.
///
/// A file per port, locked while the device is open. The system releases the lock when the process ends, however it ends.
/// Every name of the port leads to the same file.
final class NFCPortLock {
    /// How often a held lock is tried: a program that is ending holds it for a moment longer.
    private static let patience = 20

    private let descriptor: Int32

    /// Takes the lock.
    /// - Throws: `ReaderError`: `.readerBusy` with the holder's process; `.transportFailed` if no file can be created.
    init(_ device: NFCConnectionString) throws(ReaderError) {
        let files = device.lockFiles
        guard let descriptor = Self.open(files) else {
            throw ReaderError(
                .transportFailed, "Cannot create a lock file for \(device): \(String(cString: strerror(errno))).",
                remedy: "Make \(files.joined(separator: " or ")) writable.")
        }
        var triesLeft = Self.patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard triesLeft > 0 else {
                let holder = Self.holder(descriptor)
                close(descriptor)
                throw ReaderError(
                    .readerBusy, "Another program\(holder) is using \(device).",
                    remedy: "Close it, or wait until it is done."
                )
            }
            triesLeft -= 1
            usleep(10_000)
        }
        self.descriptor = descriptor
        leaveNote()
    }

    /// Releases the port. The file stays: removing it would let two programs lock two files with the same name.
    deinit { close(descriptor) }

    /// Opens the first file that can be opened, or creates it. It never follows links, and does not pass `O_CREAT` for an
    /// existing file: in shared folders the kernel refuses that when another user owns the file.
    private static func open(_ paths: [String]) -> Int32? {
        for path in paths {
            for flags in [O_RDWR, O_RDWR | O_CREAT | O_EXCL] {
                let descriptor = Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
                guard descriptor >= 0 else { continue }
                if isOurs(descriptor) { return descriptor }
                close(descriptor)
                errno = EACCES
            }
        }
        return nil
    }

    /// Whether this is a plain file of this user that nobody else may open, since anyone who could open it could lock it. This
    /// also rules out traps: a pipe would hang the program, and a hard link would have somebody's file truncated.
    private static func isOurs(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
            && status.st_uid == geteuid() && status.st_mode & (S_IRWXG | S_IRWXO) == 0
    }

    /// The process that holds the lock, in parentheses, if known.
    private static func holder(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let digits = bytes.prefix(max(0, count)).prefix { (0x30...0x39).contains($0) }
        return digits.isEmpty ? "" : " (process \(String(decoding: digits, as: UTF8.self)))"
    }

    /// Writes this process's number, for a program that finds the port taken.
    private func leaveNote() {
        let note = Array("\(getpid())\n".utf8)
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, note, note.count, 0)
    }
}

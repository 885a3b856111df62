import Glibc
import SmartCard

/// Keeps two programs of one user's from driving one port: libnfc lets both, and the second breaks the first.
///
/// A file for each port, locked as long as the device is open; the system lets go of it when the process ends, however
/// it ends. Every name of the port leads to the same file.
final class NFCPortLock {
    /// How long a lock that somebody holds is tried for: a program that ends holds it a moment longer.
    private static let patience = 20

    private let descriptor: Int32

    /// Takes the lock.
    /// - Throws: `ReaderError`: `.readerBusy` with the holder's process; `.transportFailed` when no file can be made.
    init(_ device: NFCConnectionString) throws(ReaderError) {
        let files = device.lockFiles
        guard let descriptor = Self.open(files) else {
            throw ReaderError(
                .transportFailed, "No lock file can be made for \(device): \(String(cString: strerror(errno))).",
                remedy: "Make \(files.joined(separator: " or ")) writable.")
        }
        var triesLeft = Self.patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard triesLeft > 0 else {
                let holder = Self.holder(descriptor)
                close(descriptor)
                throw ReaderError(
                    .readerBusy, "Another program\(holder) uses \(device).", remedy: "End it, or wait until it is done."
                )
            }
            triesLeft -= 1
            usleep(10_000)
        }
        self.descriptor = descriptor
        leaveNote()
    }

    /// Lets the port go. The file stays: removing it would let two programs lock two files of one name.
    deinit { close(descriptor) }

    /// Opens the first file that can be, or makes it. Never through a link, and without `O_CREAT` where it is there: the
    /// kernel refuses that in shared folders when the file is another user's.
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

    /// Whether it is this user's plain file, which nobody else may open: whoever may could lock it, too. Nor one that somebody
    /// laid there as a trap: a pipe would hold the program up, a second name of somebody's file have it emptied.
    private static func isOurs(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
            && status.st_uid == geteuid() && status.st_mode & (S_IRWXG | S_IRWXO) == 0
    }

    /// The process that holds the lock, in brackets, where it is known.
    private static func holder(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let digits = bytes.prefix(max(0, count)).prefix { (0x30...0x39).contains($0) }
        return digits.isEmpty ? "" : " (process \(String(decoding: digits, as: UTF8.self)))"
    }

    /// Writes this process's number, for the one who finds the port taken.
    private func leaveNote() {
        let note = Array("\(getpid())\n".utf8)
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, note, note.count, 0)
    }
}

import Glibc
import SmartCard

/// Keeps two programs of the same user from driving one port: libnfc allows it, and the second breaks the first.
///
/// A file per port, locked while the device is open. The system releases the lock when the process ends, however it ends.
/// Every name of the port leads to the same file. A file in another place, where this user's programs look too, is locked as
/// well if it is there: a program that was started before the user logged in has that one.
final class NFCPortLock {
    /// How often a held lock is tried: a program that is ending holds it for a moment longer.
    private static let patience = 20

    /// The file with the note; the others only lock.
    private let descriptor: Int32
    private let others: [Int32]

    /// Takes the lock.
    /// - Throws: `ReaderError`: `.readerBusy` with the holder's process; `.transportFailed` if no file can be created.
    init(_ device: NFCConnectionString) throws(ReaderError) {
        let files = device.lockFiles
        guard let descriptor = Self.open(files) else {
            throw ReaderError(
                .transportFailed, "Cannot create a lock file for \(device): \(String(cString: strerror(errno))).",
                remedy: "Make \(files.joined(separator: " or ")) writable.")
        }
        self.descriptor = descriptor
        others = files.compactMap { Self.open($0, O_RDWR, except: descriptor) }
        var triesLeft = Self.patience
        for file in [descriptor] + others {
            while flock(file, LOCK_EX | LOCK_NB) != 0 {
                guard triesLeft > 0 else {
                    throw ReaderError(
                        .readerBusy, "Another program\(Self.holder(file)) is using \(device).",
                        remedy: "Close it, or wait until it is done."
                    )
                }
                triesLeft -= 1
                usleep(10_000)
            }
        }
        leaveNote()
    }

    /// Releases the port. The files stay: removing one would let two programs lock two files with the same name.
    deinit { for file in [descriptor] + others { close(file) } }

    /// Opens the first file that can be opened, or creates it. It never follows links, and does not pass `O_CREAT` for an
    /// existing file: in shared folders the kernel refuses that when another user owns the file.
    private static func open(_ paths: [String]) -> Int32? {
        for path in paths {
            for flags in [O_RDWR, O_RDWR | O_CREAT | O_EXCL] {
                if let descriptor = open(path, flags) { return descriptor }
            }
        }
        return nil
    }

    /// Opens a file if it is ours.
    /// - Parameter other: an open file that it must not be.
    private static func open(_ path: String, _ flags: Int32, except other: Int32? = nil) -> Int32? {
        let descriptor = Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { return nil }
        if isOurs(descriptor), other.map({ !isSameFile(descriptor, $0) }) ?? true { return descriptor }
        close(descriptor)
        errno = EACCES
        return nil
    }

    private static func isSameFile(_ one: Int32, _ other: Int32) -> Bool {
        var (first, second) = (stat(), stat())
        return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_ino == second.st_ino
            && first.st_dev == second.st_dev
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

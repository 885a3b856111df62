import Glibc

/// A serial port in software: a pair of a program's end, which has a path, and this end. For its owner only, without
/// echo, every byte unchanged.
///
/// The program's end is also held open here, so that programs may come and go without this end noticing; it is locked,
/// so that others can tell that it is being served.
final class PseudoTerminal: Sendable {
    /// This end; non-blocking.
    let descriptor: Int32
    /// `/dev/pts/N`.
    let path: String
    private let otherEnd: Int32

    // The system's `TIOCSPTLCK` and `TIOCGPTN`: tty_ioctl(4).
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// Creates the pair.
    /// - Throws: `SimulatedCardError.fileFailed`.
    init() throws(SimulatedCardError) {
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure("opened") }
        var isKept = false
        defer { if !isKept { close(descriptor) } }
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard ioctl(descriptor, Self.setLock, &isLocked) == 0, ioctl(descriptor, Self.getNumber, &number) == 0 else {
            throw Self.failure("unlocked")
        }
        let path = "/dev/pts/\(number)"
        let otherEnd = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard otherEnd >= 0 else { throw Self.failure("opened") }
        defer { if !isKept { close(otherEnd) } }
        guard fchmod(otherEnd, 0o600) == 0, Self.makeRaw(otherEnd), flock(otherEnd, LOCK_EX | LOCK_NB) == 0 else {
            throw Self.failure("set up")
        }
        isKept = true
        (self.descriptor, self.path, self.otherEnd) = (descriptor, path, otherEnd)
    }

    deinit {
        close(otherEnd)
        close(descriptor)
    }

    /// What the program has written; empty if nothing.
    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return count > 0 ? Array(buffer.prefix(count)) : []
    }

    /// Writes to the program. Unread data is lost, as on a real line.
    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Whether a program of this kind serves the port at a path.
    static func isServed(_ path: String) -> Bool {
        let port = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard port >= 0 else { return false }
        defer { close(port) }
        return flock(port, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private static func makeRaw(_ descriptor: Int32) -> Bool {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return false }
        cfmakeraw(&settings)
        cfsetspeed(&settings, speed_t(B115200))
        return tcsetattr(descriptor, TCSANOW, &settings) == 0
    }

    private static func failure(_ what: String) -> SimulatedCardError {
        SimulatedCardError(
            .fileFailed, "The pseudo-terminal could not be \(what): \(String(cString: strerror(errno))).")
    }
}

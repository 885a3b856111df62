import Glibc

/// A serial port made of software: a pair of a program's end, with a path, and this end. For its owner only, without
/// echo, every byte as it is.
///
/// The program's end is held open here too, so that programs may come and go without this end noticing.
final class PseudoTerminal: Sendable {
    /// This end; does not block.
    let descriptor: Int32
    /// `/dev/pts/N`.
    let path: String
    private let otherEnd: Int32
    private let link: String?

    // The system's `TIOCSPTLCK` and `TIOCGPTN`: tty_ioctl(4).
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// The longest path that libnfc takes as a port.
    private static let longestLink = 127

    /// Makes the pair.
    /// - Parameter link: a symbolic link to make, which names the program's end; one to a pseudo-terminal that is there
    ///   already is replaced.
    /// - Throws: `SimulatedCardError`: `.fileFailed`; `.exists` when something else is at the link's place;
    ///   `.badAddress` for a link that libnfc cannot name.
    init(link: String?) throws(SimulatedCardError) {
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
        guard fchmod(otherEnd, 0o600) == 0, Self.makeRaw(otherEnd) else { throw Self.failure("set up") }
        if let link { try Self.makeLink(link, to: path) }
        isKept = true
        (self.descriptor, self.path, self.otherEnd, self.link) = (descriptor, path, otherEnd, link)
    }

    deinit {
        removeLink()
        close(otherEnd)
        close(descriptor)
    }

    /// What the program has written; empty when there is nothing.
    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return count > 0 ? Array(buffer.prefix(count)) : []
    }

    /// Writes to the program. What nobody reads is lost, as on a real line.
    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Removes the link, unless it names something else by now.
    func removeLink() {
        guard let link, Self.destination(of: link) == path else { return }
        unlink(link)
    }

    private static func makeRaw(_ descriptor: Int32) -> Bool {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return false }
        cfmakeraw(&settings)
        cfsetspeed(&settings, speed_t(B115200))
        return tcsetattr(descriptor, TCSANOW, &settings) == 0
    }

    private static func makeLink(_ link: String, to path: String) throws(SimulatedCardError) {
        guard (1...longestLink).contains(link.utf8.count), !link.utf8.contains(UInt8(ascii: ":")),
            !link.utf8.contains(0)
        else {
            throw SimulatedCardError(
                .badAddress, "A port's path has 1 to \(longestLink) bytes and no colon, or libnfc does not find it.")
        }
        // A server that was killed leaves its link behind.
        if destination(of: link)?.hasPrefix("/dev/pts/") == true { unlink(link) }
        guard symlink(path, link) == 0 else {
            throw errno == EEXIST
                ? SimulatedCardError(.exists, "\(link) is there already, and is no link to a pseudo-terminal.")
                : SimulatedCardError(
                    .fileFailed, "The link \(link) cannot be made: \(String(cString: strerror(errno))).")
        }
    }

    private static func destination(of link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink(link, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    private static func failure(_ what: String) -> SimulatedCardError {
        SimulatedCardError(.fileFailed, "A pseudo-terminal cannot be \(what): \(String(cString: strerror(errno))).")
    }
}

import Glibc
import Testing

/// A terminal of a certain size.
public final class PseudoTerminal: Sendable {
    /// Where a person types, and sees what is written.
    public let controller: Int32
    /// Where a program writes.
    public let device: Int32
    /// The device's path.
    public let path: String

    /// `TIOCSPTLCK` and `TIOCGPTN`, which Swift does not import.
    private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

    /// - Parameters:
    ///   - columns: its width; 0: it does not say.
    ///   - lines: its height.
    public init(columns: UInt16 = 0, lines: UInt16 = 24) throws {
        controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (lock, number): (Int32, UInt32) = (0, 0)
        try #require(ioctl(controller, Self.setLock, &lock) == 0 && ioctl(controller, Self.getNumber, &number) == 0)
        path = "/dev/pts/\(number)"
        device = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(device >= 0 && ioctl(device, UInt(TIOCSWINSZ), &size) == 0)
    }

    deinit {
        close(device)
        close(controller)
    }

    /// Everything written so far, with line ends as they were written.
    public func shown() -> String {
        var bytes: [UInt8] = []
        var ready = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
        while poll(&ready, 1, 0) == 1 {
            var part = [UInt8](repeating: 0, count: 4_096)
            let count = read(controller, &part, part.count)
            guard count > 0 else { break }
            bytes += part.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    }
}

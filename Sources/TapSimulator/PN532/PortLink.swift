import Glibc

/// A symbolic link by which programs find a pseudo-terminal, whatever its number.
final class PortLink: Sendable {
    /// The longest path that libnfc takes as a port.
    private static let longestPath = 127
    private static let folderOfPorts = "/dev/pts/"

    private let path: String
    private let port: String

    /// Makes the link. One to a pseudo-terminal that nobody serves any more, as a killed server leaves behind, makes
    /// room; everything else is left alone.
    /// - Throws: see `PN532Server`.
    init(_ path: String, to port: String) throws(SimulatedCardError) {
        guard (1...Self.longestPath).contains(path.utf8.count), !path.utf8.contains(UInt8(ascii: ":")),
            !path.utf8.contains(0)
        else {
            throw SimulatedCardError(
                .badAddress,
                "A port's path has 1 to \(Self.longestPath) bytes and no colon, or libnfc does not find it.")
        }
        let lock = try FolderLock(around: path, of: "link")
        defer { lock.release() }
        if let old = Self.destination(of: path), old.hasPrefix(Self.folderOfPorts) {
            // The number of a killed server's port may have become ours.
            guard old == port || !PseudoTerminal.isServed(old) else {
                throw SimulatedCardError(.inUse, "Another process serves a card at \(path).")
            }
            unlink(path)
        }
        guard symlink(port, path) == 0 else {
            throw errno == EEXIST
                ? SimulatedCardError(.exists, "\(path) is there already, and is no link to a pseudo-terminal.")
                : SimulatedCardError(
                    .fileFailed, "The link \(path) cannot be made: \(String(cString: strerror(errno))).")
        }
        self.path = path
        self.port = port
    }

    deinit { remove() }

    /// Removes the link, unless it names something else by now.
    func remove() {
        let lock = try? FolderLock(around: path, of: "link")
        defer { lock?.release() }
        if Self.destination(of: path) == port { unlink(path) }
    }

    private static func destination(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}

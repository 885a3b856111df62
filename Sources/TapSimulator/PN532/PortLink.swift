import Glibc
import LocalSockets

/// A symbolic link through which programs find a pseudo-terminal, whatever its number.
final class PortLink: Sendable {
    /// The longest port path that libnfc accepts.
    private static let longestPath = 127
    private static let folderOfPorts = "/dev/pts/"

    private let path: String
    private let port: String

    /// Creates the link. An existing link to a pseudo-terminal that nobody serves any more, left behind by a killed
    /// server, is replaced; everything else is left alone.
    /// - Throws: see `PN532Server`.
    init(_ path: String, to port: String) throws(SimulatedCardError) {
        guard (1...Self.longestPath).contains(path.utf8.count), !path.utf8.contains(UInt8(ascii: ":")),
            !path.utf8.contains(0)
        else {
            throw SimulatedCardError(
                .badAddress,
                "The path of a port must have 1 to \(Self.longestPath) bytes and no colon, or libnfc cannot find it.")
        }
        let lock = try SimulatedCardError.explaining { () throws(LocalSocketError) in
            try FolderLock(around: path, of: "link")
        }
        defer { lock.release() }
        if let old = Self.destination(of: path), old.hasPrefix(Self.folderOfPorts) {
            // A killed server's port number may have become ours.
            guard old == port || !PseudoTerminal.isServed(old) else {
                throw SimulatedCardError(.inUse, "Another process is already serving a card at \(path).")
            }
            unlink(path)
        }
        guard symlink(port, path) == 0 else {
            throw errno == EEXIST
                ? SimulatedCardError(.exists, "\(path) already exists and is not a link to a pseudo-terminal.")
                : SimulatedCardError(
                    .fileFailed, "Cannot create the link \(path): \(String(cString: strerror(errno))).")
        }
        self.path = path
        self.port = port
    }

    deinit { remove() }

    /// Removes the link, unless it now points to something else.
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

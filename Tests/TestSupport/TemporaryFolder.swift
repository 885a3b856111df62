import Foundation

/// A folder that goes away with its last reference, or at the end of the process.
public final class TemporaryFolder: Sendable {
    /// Where it is.
    public let url: URL

    /// Makes an empty folder that only this user can read.
    /// - Parameter inMemory: for files that are written through to the disk again and again, where a slow disk would hold up
    ///   the run: in memory if the machine has enough. No program can be started from there.
    public init(inMemory: Bool = false) throws {
        let parent = inMemory ? Self.memory ?? Self.disk : Self.disk
        url = parent.appendingPathComponent("tapkit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        RemovalAtExit.add(url)
    }

    private static let disk = FileManager.default.temporaryDirectory

    /// Debian's file system in memory, unless it is small: some containers have 64 MB.
    private static let memory: URL? = {
        let folder = URL(fileURLWithPath: "/dev/shm")
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
        let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
        return free > 1 << 30 && FileManager.default.isWritableFile(atPath: folder.path) ? folder : nil
    }()

    deinit {
        // A program that still writes there can be in the way: then it is tried again at the end.
        if (try? FileManager.default.removeItem(at: url)) != nil { RemovalAtExit.forget(url) }
    }

    /// The path of a file in it.
    public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file in it, which nobody else can read if it is new.
    /// - Returns: the file's path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        let isNew = !FileManager.default.fileExists(atPath: path(name))
        try Data(text.utf8).write(to: url.appendingPathComponent(name))
        if isNew { try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path(name)) }
        return path(name)
    }
}

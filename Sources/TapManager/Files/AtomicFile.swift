import Glibc

/// Writes files so that a reader, and a power cut, see either the old content or the new one, never a part.
public enum AtomicFile {
    /// Why a file could not be written; the old content is untouched.
    public struct WritingError: Error, Sendable, Equatable, CustomStringConvertible {
        /// The file that was to be written.
        public let path: String
        /// The system's error number.
        public let errorNumber: Int32

        /// The system's words.
        public var description: String { "\(path): \(String(cString: strerror(errorNumber)))" }
    }

    /// Writes `bytes` to a new file in the same folder, syncs it, and puts it in the place of `path`. A device or a pipe
    /// is written to, not replaced.
    /// - Parameter mode: the new file's permissions, whatever the umask says.
    /// - Throws: `WritingError` when the folder is missing or closed to us, the disk is full, ….
    public static func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws(WritingError) {
        if isStream(path) { return try writeThrough(bytes, to: path) }
        var template = Array((path + ".XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw WritingError(path: path, errorNumber: errno) }
        let temporaryPath = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(WritingError) {
            defer { close(descriptor) }
            try check(fchmod(descriptor, mode) == 0, path)
            try writeAll(bytes, to: descriptor, path)
            try check(fsync(descriptor) == 0, path)
            try check(rename(temporaryPath, path) == 0, path)
        } catch {
            unlink(temporaryPath)
            throw error
        }
        syncFolder(of: path)
    }

    /// Confirms that a file at `path` could be written, by making and removing one beside it. What a device or a pipe
    /// takes shows only when it is written to.
    /// - Throws: `WritingError` as `write` would.
    public static func checkWritable(_ path: String) throws(WritingError) {
        if isStream(path) { return try check(access(path, W_OK) == 0, path) }
        var template = Array((path + ".XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw WritingError(path: path, errorNumber: errno) }
        close(descriptor)
        unlink(template)
        if kind(of: path) == S_IFDIR { throw WritingError(path: path, errorNumber: EISDIR) }
    }

    /// Whether there is something at `path` that has no content to keep: a device, a pipe, a socket.
    private static func isStream(_ path: String) -> Bool {
        guard let kind = kind(of: path) else { return false }
        return kind != S_IFREG && kind != S_IFDIR
    }

    private static func kind(of path: String) -> mode_t? {
        var information = stat()
        return stat(path, &information) == 0 ? information.st_mode & S_IFMT : nil
    }

    private static func writeThrough(_ bytes: [UInt8], to path: String) throws(WritingError) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        try check(descriptor >= 0, path)
        defer { close(descriptor) }
        try writeAll(bytes, to: descriptor, path)
    }

    private static func check(_ succeeded: Bool, _ path: String) throws(WritingError) {
        guard succeeded else { throw WritingError(path: path, errorNumber: errno) }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(WritingError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            try check(count > 0, path)
            rest = rest.dropFirst(count)
        }
    }

    /// Makes the new name itself durable; a folder that cannot be synced is no failure, the file is.
    private static func syncFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

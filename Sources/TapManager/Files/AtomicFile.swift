import Glibc

/// Writes files so that a reader sees either the old content or the new one, never a part, even after a power failure.
package enum AtomicFile {
    /// Writes `bytes` to a new file in the same folder, syncs it, and replaces `path` with it. A device or pipe at
    /// `path` is written to and stays, and so does what leads to a descriptor that is open already, such as
    /// `/dev/stdout`; there, the bytes follow what was written before.
    /// - Parameter mode: the new file's permissions, whatever the umask.
    /// - Throws: `WritingError` if the folder does not exist or is not writable, the disk is full, `path` is a folder,
    ///   ….
    package static func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws(WritingError) {
        if try isStream(path) { return try writeThrough(bytes, to: path) }
        try StagedFile(bytes, for: path, mode: mode).place()
        syncFolder(of: path)
    }

    /// Writes `bytes` as `write` does, but never over a file with other content, and reads them back.
    /// - Throws: `WritingError` with `EEXIST` if there is such a file; with `EIO` if reading gives anything else than
    ///   was written.
    package static func writeKeeping(_ bytes: [UInt8], at path: String, mode: mode_t) throws(WritingError) {
        if try isStream(path) { return try writeThrough(bytes, to: path) }
        if let isEqual = try holds(bytes, path) {
            guard isEqual else { throw WritingError(path: path, errorNumber: EEXIST) }
            return
        }
        try write(bytes, to: path, mode: mode)
        guard try holds(bytes, path) == true else { throw WritingError(path: path, errorNumber: EIO) }
    }

    /// A file's length in bytes; `nil` if there is none, or for a device, a pipe or an open descriptor.
    package static func length(of path: String) -> Int? {
        var information = stat()
        guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
            InheritedDescriptor(path) == nil
        else { return nil }
        return Int(information.st_size)
    }

    /// A file's bytes; `nil` if there is none, if it cannot be read, if it is longer than the limit, and for a device,
    /// a pipe or an open descriptor.
    /// - Parameter limit: in bytes.
    package static func content(of path: String, limit: Int) -> [UInt8]? {
        guard let length = length(of: path), length <= limit, let stream = fopen(path, "rbe") else { return nil }
        defer { fclose(stream) }
        // One more, so that a file that has grown is noticed.
        var bytes = [UInt8](repeating: 0, count: length + 1)
        let count = fread(&bytes, 1, bytes.count, stream)
        guard ferror(stream) == 0, count <= length else { return nil }
        return Array(bytes.prefix(count))
    }

    /// Whether a file has exactly these bytes; `nil` if there is none.
    package static func holds(_ bytes: [UInt8], _ path: String) throws(WritingError) -> Bool? {
        guard let stream = fopen(path, "rbe") else {
            try check(errno == ENOENT, path)
            return nil
        }
        defer { fclose(stream) }
        var present = [UInt8](repeating: 0, count: bytes.count + 1)
        let count = fread(&present, 1, present.count, stream)
        return count == bytes.count && memcmp(present, bytes, count) == 0
    }

    /// Confirms that a file at `path` could be written, by creating and removing one next to it.
    /// - Throws: `WritingError` as `write` would.
    package static func checkWritable(_ path: String) throws(WritingError) {
        if let inherited = InheritedDescriptor(path) { return try inherited.requireWritable(path) }
        if try isStream(path) { return try check(access(path, W_OK) == 0, path) }
        var template = Array((path + ".XXXXXX").utf8CString)
        let descriptor = created(&template)
        guard descriptor >= 0 else { throw WritingError(path: path, errorNumber: errno) }
        close(descriptor)
        unlink(template)
    }

    /// Creates a file with a random name: the template's six X are replaced. Programs started later do not inherit it.
    /// - Returns: its descriptor; negative if it cannot be created, with the reason in `errno`.
    static func created(_ template: inout [CChar]) -> Int32 {
        let descriptor = mkstemp(&template)
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return descriptor
    }

    /// Whether a device, pipe, socket or open descriptor is there, which a file must not replace.
    /// - Throws: `WritingError` for a folder.
    private static func isStream(_ path: String) throws(WritingError) -> Bool {
        if InheritedDescriptor(path) != nil { return true }
        var information = stat()
        guard stat(path, &information) == 0 else { return false }
        switch information.st_mode & S_IFMT {
        case S_IFREG: return false
        case S_IFDIR: throw WritingError(path: path, errorNumber: EISDIR)
        default: return true
        }
    }

    private static func writeThrough(_ bytes: [UInt8], to path: String) throws(WritingError) {
        if let inherited = InheritedDescriptor(path) {
            try inherited.requireWritable(path)
            return try writeAll(bytes, to: inherited.number, path)
        }
        let descriptor = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw WritingError(path: path, errorNumber: errno) }
        defer { close(descriptor) }
        try writeAll(bytes, to: descriptor, path)
    }

    static func check(_ succeeded: Bool, _ path: String) throws(WritingError) {
        guard succeeded else { throw WritingError(path: path, errorNumber: errno) }
    }

    static func writeAll(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(WritingError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN {
                // Another program may have made an inherited descriptor one that does not wait.
                var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&room, 1, -1)
                continue
            }
            try check(count > 0, path)
            rest = rest.dropFirst(count)
        }
    }

    /// Makes the new name itself durable; if the folder cannot be synced, that is not an error, as the file is.
    static func syncFolder(of path: String) {
        sync(folder: path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".")
    }

    /// Makes the names in a folder durable.
    static func sync(folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

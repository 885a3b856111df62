import Glibc

/// A folder's new content, whole and synced in a folder beside it, until it gets the folder's name. If that never
/// happens, nothing is left.
final class StagedFolder {
    private let path: String
    private let temporaryPath: String
    /// The new folder, whatever its name leads to by now.
    private let folder: Int32
    private let names: [String]
    private var isPlaced = false

    /// Makes the folder beside the one with the final name, and writes files into it.
    /// - Parameters:
    ///   - files: names and contents.
    ///   - path: the folder's, without a slash at the end.
    ///   - mode: the folder's permissions, whatever the umask; those of the files are the owner's.
    /// - Throws: `WritingError` if there can be no folder beside it, the disk is full, ….
    init(
        _ files: [(name: String, bytes: [UInt8])], for path: String, mode: mode_t
    ) throws(WritingError) {
        var template = Array((path + ".XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw WritingError(path: path, errorNumber: errno) }
        self.path = path
        temporaryPath = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        folder = Self.opened(temporaryPath)
        names = files.map(\.name)
        do throws(WritingError) {
            try AtomicFile.check(folder >= 0, path)
            try AtomicFile.check(chmod(temporaryPath, mode) == 0, path)
            for file in files {
                try StagedFile(file.bytes, for: temporaryPath + "/" + file.name, mode: Self.fileMode).place()
            }
        } catch {
            throw WritingError(path: path, errorNumber: error.errorNumber)
        }
        AtomicFile.sync(folder: temporaryPath)
    }

    private static let fileMode: mode_t = 0o600

    deinit {
        if !isPlaced { remove() }
        close(folder)
    }

    /// Gives the content the folder's name, which nothing has yet.
    /// - Throws: `WritingError`.
    func place() throws(WritingError) {
        try AtomicFile.check(rename(temporaryPath, path) == 0, path)
        isPlaced = true
        AtomicFile.syncFolder(of: path)
    }

    /// Gives the content the folder's name in one step, and removes the old content. Whatever else somebody has put
    /// into the folder meanwhile gets into the new one; what cannot, stays in a folder beside it.
    /// - Parameters:
    ///   - known: the folder, as `lstat` has told of it: no other is emptied, whoever else can change the name.
    ///   - old: the names of the files that are the old content.
    /// - Returns: false if the file system cannot do that: then everything is as before.
    /// - Throws: `WritingError`, with `ESTALE` if something else has the name by now. That gets its name back; if it
    ///   cannot, it stays beside the folder, under a temporary name.
    func replace(_ known: stat, _ old: [String], by exchange: NameExchange) throws(WritingError) -> Bool {
        guard exchange.perform(temporaryPath, path) == 0 else { return false }
        let former = Self.opened(temporaryPath)
        let reason = errno
        defer { close(former) }
        var found = stat()
        guard fstat(former, &found) == 0, (found.st_dev, found.st_ino) == (known.st_dev, known.st_ino) else {
            isPlaced = exchange.perform(temporaryPath, path) != 0
            let isOther = former >= 0 || [ENOENT, ENOTDIR, ELOOP].contains(reason)
            throw WritingError(path: path, errorNumber: isOther ? ESTALE : reason)
        }
        isPlaced = true
        AtomicFile.syncFolder(of: path)
        for name in old { unlinkat(former, name, 0) }
        let others = FolderListing.names(in: "/proc/self/fd/\(former)", atMost: Self.mostOthers) ?? []
        for name in others {
            var information = stat()
            guard fstatat(folder, name, &information, AT_SYMLINK_NOFOLLOW) != 0 else { continue }
            renameat(former, name, folder, name)
        }
        if !others.isEmpty { fsync(folder) }
        rmdir(temporaryPath)
        return true
    }

    /// A folder, not what a link leads to; negative if there is none.
    private static func opened(_ path: String) -> Int32 { open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }

    private static let mostOthers = 1_000

    private func remove() {
        for name in names { unlinkat(folder, name, 0) }
        rmdir(temporaryPath)
    }
}

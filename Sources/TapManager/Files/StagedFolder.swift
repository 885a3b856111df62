import Glibc

/// A folder's new content, whole and synced in a folder beside it, until it gets the folder's name. If that never
/// happens, nothing is left.
final class StagedFolder {
    private let path: String
    private let temporaryPath: String
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
        names = files.map(\.name)
        do throws(WritingError) {
            try AtomicFile.check(chmod(temporaryPath, mode) == 0, path)
            for file in files {
                try StagedFile(file.bytes, for: temporaryPath + "/" + file.name, mode: Self.fileMode).place()
            }
        } catch {
            remove()
            throw WritingError(path: path, errorNumber: error.errorNumber)
        }
        AtomicFile.sync(folder: temporaryPath)
    }

    private static let fileMode: mode_t = 0o600

    deinit {
        if !isPlaced { remove() }
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
    /// - Parameter old: the names of the files that are the old content.
    /// - Returns: false if the file system cannot do that: then everything is as before.
    func replace(_ old: [String], by exchange: NameExchange) -> Bool {
        guard exchange.perform(temporaryPath, path) == 0 else { return false }
        isPlaced = true
        AtomicFile.syncFolder(of: path)
        for name in old { unlink(temporaryPath + "/" + name) }
        let others = FolderListing.names(in: temporaryPath, atMost: Self.mostOthers) ?? []
        for name in others {
            var information = stat()
            guard lstat(path + "/" + name, &information) != 0 else { continue }
            rename(temporaryPath + "/" + name, path + "/" + name)
        }
        if !others.isEmpty { AtomicFile.sync(folder: path) }
        rmdir(temporaryPath)
        return true
    }

    private static let mostOthers = 1_000

    private func remove() {
        for name in names { unlink(temporaryPath + "/" + name) }
        rmdir(temporaryPath)
    }
}

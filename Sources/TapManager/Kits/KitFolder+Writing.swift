import Glibc

/// A kit is replaced as a whole.
extension KitFolder {
    /// Writes files of a kit. A folder that does not exist is made, closed to others, and so is every file; a folder
    /// that does keeps its permissions, and whatever else is in it.
    ///
    /// A folder that has nothing but a kit is exchanged for a new one in one step. Any other is written into: first all
    /// files under temporary names, then each gets its own name, the last one last. An error, such as a full disk,
    /// leaves an earlier kit as it is. A loss of power can leave files of two kits only in a folder that is written
    /// into; then the main document of the newer one is still there under a temporary name, so that it shows
    /// (`KitError.mixed`).
    /// - Parameter beforePlacing: what to do with the last file before any file gets its name; twice if the folder
    ///   cannot be exchanged after all.
    /// - Throws: `WritingError`, with `ESTALE` if something else took the folder's place; `OverwritingError.exists`,
    ///   before anything is written; what `beforePlacing` throws.
    func write(_ files: [KitFile], overwriting: Bool, beforePlacing: (KitFile) throws -> Void) throws {
        try requireWritable(overwriting: overwriting)
        var information = stat()
        guard lstat(path, &information) == 0 else {
            let staged = try stagedFolder(files, mode: Self.folderMode)
            if let last = files.last { try beforePlacing(last) }
            return try staged.place()
        }
        // Where there can be no folder beside it, there can still be files in it.
        if isExchangeable, let staged = try? stagedFolder(files, mode: information.st_mode & 0o7777) {
            if let last = files.last { try beforePlacing(last) }
            // Meanwhile, somebody may have put something into it.
            if isExchangeable, try staged.replace(information, KitFile.Name.allCases.map(\.rawValue), by: exchange) {
                return
            }
        }
        let staged = try files.map { try StagedFile($0.bytes, for: name(of: $0.name), mode: Self.fileMode) }
        if let last = files.last { try beforePlacing(last) }
        try StagedFile.placeTogether(staged, in: path, by: exchange)
    }

    private static let folderMode: mode_t = 0o700
    private static let fileMode: mode_t = 0o600

    private func stagedFolder(_ files: [KitFile], mode: mode_t) throws(WritingError) -> StagedFolder {
        try StagedFolder(files.map { ($0.name.rawValue, $0.bytes) }, for: plainPath, mode: mode)
    }

    /// The path without slashes at the end.
    private var plainPath: String {
        let end = path.lastIndex { $0 != "/" }
        return end.map { String(path[...$0]) } ?? path
    }

    /// Whether another folder can take its place unnoticed: it is this user's, on the same disk as the folder around
    /// it, not a link and not the working folder, and has only files of a kit, as far as it can be read.
    private var isExchangeable: Bool {
        let name = plainPath.split(separator: "/").last ?? ""
        guard !["", ".", ".."].contains(name) else { return false }
        var (folder, parent, current) = (stat(), stat(), stat())
        guard lstat(plainPath, &folder) == 0, stat(plainPath + "/..", &parent) == 0, stat(".", &current) == 0 else {
            return false
        }
        let isWorkingFolder = folder.st_dev == current.st_dev && folder.st_ino == current.st_ino
        // What a new folder gets: the group of the folder around it, if that says so.
        let group = parent.st_mode & Self.inheritsGroup == 0 ? getegid() : parent.st_gid
        guard let others = names(where: { KitFile.Name(rawValue: $0) == nil }) else { return false }
        return folder.st_mode & S_IFMT == S_IFDIR && folder.st_dev == parent.st_dev && !isWorkingFolder
            && folder.st_uid == geteuid() && folder.st_gid == group && others.isEmpty
    }

    /// The bit of a folder's permissions that gives new files and folders in it its group.
    private static let inheritsGroup: mode_t = 0o2000
}

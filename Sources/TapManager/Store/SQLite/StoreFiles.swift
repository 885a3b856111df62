import Glibc

/// The names of the store's files in its folder, and whether folder and files can be trusted.
struct StoreFiles: Sendable {
    /// The folder, absolute and without symbolic links.
    let folder: String

    /// The database.
    var database: String { folder + "/store.sqlite" }
    /// Held shared by everyone who uses the database; exclusively by whoever sets it aside.
    var lock: String { folder + "/store.lock" }
    /// The database and SQLite's files next to it, by their endings.
    static let endings = ["", "-wal", "-shm", journalEnding]
    private static let journalEnding = "-journal"

    /// Whether a process was killed while creating the store: the transaction in the empty file must be rolled back.
    var isHalfMade: Bool { access(database + Self.journalEnding, F_OK) == 0 }

    private static let folderMode: mode_t = 0o700
    static let fileMode: mode_t = 0o600
    private static let othersMayWrite: mode_t = 0o022
    private static let othersMayDoAnything: mode_t = 0o077

    /// The files in a folder, which is created, like those above it (0700), if it does not exist.
    /// - Throws: `.unsafe`, `.notWritable`, `.diskFull`.
    init(making folder: String) throws(StoreError) {
        try Self.makeFolder(folder)
        guard let files = try Self(existing: folder) else {
            throw .notWritable(path: folder, reason: String(cString: strerror(ENOENT)))
        }
        self = files
    }

    /// The files in a folder; `nil` if it does not exist.
    /// - Throws: `.unsafe`, `.notWritable`.
    init?(existing folder: String) throws(StoreError) {
        guard let resolved = realpath(folder, nil) else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw StoreError(errorNumber: errno, path: folder)
        }
        defer { free(resolved) }
        self.folder = String(cString: resolved)
        var link = stat()
        // Whoever can change a link can redirect us.
        if lstat(folder, &link) == 0, link.st_mode & S_IFMT == S_IFLNK, link.st_uid != geteuid(), link.st_uid != 0 {
            throw .unsafe(path: folder, reason: "it is a link that belongs to another user")
        }
        var information = stat()
        guard stat(self.folder, &information) == 0 else { throw StoreError(errorNumber: errno, path: folder) }
        guard information.st_mode & S_IFMT == S_IFDIR else {
            throw .notWritable(path: folder, reason: String(cString: strerror(ENOTDIR)))
        }
        try Self.check(information, path: self.folder)
    }

    /// Whether the database exists.
    /// - Throws: `.unsafe` if it, or a file next to it, may come from someone else; `.notWritable`.
    func checkDatabase() throws(StoreError) -> Bool {
        for path in Self.endings.map({ database + $0 }) + [lock] { _ = try Self.checkFile(path) }
        return access(database, F_OK) == 0
    }

    /// Whether a file in the folder exists.
    /// - Throws: `.unsafe` if it may come from someone else; `.notWritable`.
    static func checkFile(_ path: String) throws(StoreError) -> Bool {
        var information = stat()
        guard lstat(path, &information) == 0 else {
            guard errno == ENOENT else { throw StoreError(errorNumber: errno, path: path) }
            return false
        }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw .unsafe(path: path, reason: "it is not a regular file")
        }
        try check(information, path: path)
        // Closes to others what they could read until now; a read-only folder stays unchanged.
        if information.st_mode & othersMayDoAnything != 0 { chmod(path, fileMode) }
        return true
    }

    /// Creates the empty database file, readable only to this user, unless it exists. SQLite gives its files next to it
    /// the same permissions.
    func createDatabase() throws(StoreError) {
        // Closing a descriptor of an existing file would release SQLite's own locks on it.
        let descriptor = Glibc.open(database, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, Self.fileMode)
        guard descriptor >= 0 else {
            if errno == EEXIST { return }
            throw StoreError(errorNumber: errno, path: database)
        }
        fchmod(descriptor, Self.fileMode)
        fsync(descriptor)
        close(descriptor)
        AtomicFile.sync(folder: folder)
    }

    /// Whether folder and database can be written; on a read-only file system, nobody can.
    var isWritable: Bool {
        access(folder, W_OK) == 0 && (access(database, W_OK) == 0 || errno == ENOENT)
    }

    /// Renames the database and the files next to it. Nobody else may be using them.
    /// - Returns: the database's new path.
    /// - Throws: `.damagedInUse` if they cannot be renamed.
    func setAside(at time: UnixTime) throws(StoreError) -> String {
        let name = database + ".damaged-" + time.basicUTC
        var target = name
        var number = 1
        while Self.endings.contains(where: { Self.isThere(target + $0) }) {
            number += 1
            target = "\(name)-\(number)"
        }
        // The database goes last: while it exists, the others belong to it.
        for ending in Self.endings.reversed() where Self.isThere(database + ending) {
            guard rename(database + ending, target + ending) == 0 else {
                throw .damagedInUse(path: database, reason: String(cString: strerror(errno)))
            }
        }
        AtomicFile.sync(folder: folder)
        return target
    }

    private static func isThere(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0
    }

    private static func check(_ information: stat, path: String) throws(StoreError) {
        guard information.st_uid == geteuid() else {
            throw .unsafe(path: path, reason: "it belongs to another user, number \(information.st_uid)")
        }
        guard information.st_mode & othersMayWrite == 0 else {
            throw .unsafe(path: path, reason: "others can write to it")
        }
    }

    private static func makeFolder(_ folder: String) throws(StoreError) {
        if mkdir(folder, folderMode) == 0 {
            chmod(folder, folderMode)
            AtomicFile.sync(folder: parent(of: folder))
            return
        }
        switch errno {
        case EEXIST: return
        case ENOENT where parent(of: folder) != folder:
            try makeFolder(parent(of: folder))
            guard mkdir(folder, folderMode) == 0 || errno == EEXIST else {
                throw StoreError(errorNumber: errno, path: folder)
            }
            chmod(folder, folderMode)
            AtomicFile.sync(folder: parent(of: folder))
        default: throw StoreError(errorNumber: errno, path: folder)
        }
    }

    /// The parent folder; for a single name, the current one.
    private static func parent(of path: String) -> String {
        var rest = path[...]
        while rest.count > 1, rest.last == "/" { rest.removeLast() }
        guard let slash = rest.lastIndex(of: "/") else { return "." }
        return slash == rest.startIndex ? "/" : String(rest[..<slash])
    }
}

extension StoreError {
    /// The system's report about a file or folder of the store.
    init(errorNumber: Int32, path: String) {
        switch errorNumber {
        case ENOSPC, EDQUOT: self = .diskFull(path: path)
        case EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EEXIST, ELOOP, ENAMETOOLONG:
            self = .notWritable(path: path, reason: String(cString: strerror(errorNumber)))
        default: self = .failed(path: path, reason: String(cString: strerror(errorNumber)))
        }
    }
}

import Glibc

/// The names of the store's files in its folder, and whether folder and files can be trusted.
struct StoreFiles: Sendable {
    /// The folder, absolute and without symbolic links.
    let folder: String

    /// The database.
    var database: String { folder + "/store.sqlite" }
    /// Held shared by everybody who uses the database; alone by whoever puts it aside.
    var lock: String { folder + "/store.lock" }
    /// The database and what SQLite keeps beside it, by their endings.
    static let endings = ["", "-wal", "-shm", journalEnding]
    private static let journalEnding = "-journal"

    /// Whether a process was killed while it made the store: what it began in the empty file is to be undone.
    var isHalfMade: Bool { access(database + Self.journalEnding, F_OK) == 0 }

    private static let folderMode: mode_t = 0o700
    static let fileMode: mode_t = 0o600
    private static let othersMayWrite: mode_t = 0o022
    private static let othersMayDoAnything: mode_t = 0o077

    /// The files in a folder, which is made with those above it (0700) when it is not there.
    /// - Throws: `.unsafe`, `.notWritable`, `.diskFull`.
    init(making folder: String) throws(StoreError) {
        try Self.makeFolder(folder)
        guard let files = try Self(existing: folder) else {
            throw .notWritable(path: folder, reason: String(cString: strerror(ENOENT)))
        }
        self = files
    }

    /// The files in a folder; `nil` when it is not there.
    /// - Throws: `.unsafe`, `.notWritable`.
    init?(existing folder: String) throws(StoreError) {
        guard let resolved = realpath(folder, nil) else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw StoreError(errorNumber: errno, path: folder)
        }
        defer { free(resolved) }
        self.folder = String(cString: resolved)
        var link = stat()
        // Who may change a link may lead us elsewhere.
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

    /// Whether the database is there.
    /// - Throws: `.unsafe` when it, or what stands beside it, may be another's work; `.notWritable`.
    func checkDatabase() throws(StoreError) -> Bool {
        for path in Self.endings.map({ database + $0 }) + [lock] {
            var information = stat()
            guard lstat(path, &information) == 0 else {
                guard errno == ENOENT else { throw StoreError(errorNumber: errno, path: path) }
                continue
            }
            guard information.st_mode & S_IFMT == S_IFREG else { throw .unsafe(path: path, reason: "it is no file") }
            try Self.check(information, path: path)
            // What others could read until now is closed to them; a folder that cannot be written stays as it is.
            if information.st_mode & Self.othersMayDoAnything != 0 { chmod(path, Self.fileMode) }
        }
        return access(database, F_OK) == 0
    }

    /// Makes the empty database file, for nobody else to read, unless it is there. SQLite gives what it puts beside it
    /// the same permissions.
    func createDatabase() throws(StoreError) {
        // Closing a descriptor of a file that is there already would release SQLite's own locks on it.
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

    /// Whether folder and database can be written; on a file system that is mounted to be read only, nobody can.
    var isWritable: Bool {
        access(folder, W_OK) == 0 && (access(database, W_OK) == 0 || errno == ENOENT)
    }

    /// Renames the database and what stands beside it. Nobody else may be using them.
    /// - Returns: the database's new path.
    /// - Throws: `.damagedInUse` when they cannot be renamed.
    func setAside(at time: UnixTime) throws(StoreError) -> String {
        let name = database + ".damaged-" + time.basicUTC
        var target = name
        var number = 1
        while Self.endings.contains(where: { Self.isThere(target + $0) }) {
            number += 1
            target = "\(name)-\(number)"
        }
        // The database goes last: as long as it is there, the others are its own.
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
            throw .unsafe(path: path, reason: "others may write it; if nobody did: chmod go-w \(path)")
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

    /// The folder above; that of a single name is the current one.
    private static func parent(of path: String) -> String {
        var rest = path[...]
        while rest.count > 1, rest.last == "/" { rest.removeLast() }
        guard let slash = rest.lastIndex(of: "/") else { return "." }
        return slash == rest.startIndex ? "/" : String(rest[..<slash])
    }
}

extension StoreError {
    /// What the system says of a file or folder of the store.
    init(errorNumber: Int32, path: String) {
        switch errorNumber {
        case ENOSPC, EDQUOT: self = .diskFull(path: path)
        case EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EEXIST, ELOOP, ENAMETOOLONG:
            self = .notWritable(path: path, reason: String(cString: strerror(errorNumber)))
        default: self = .failed(path: path, reason: String(cString: strerror(errorNumber)))
        }
    }
}

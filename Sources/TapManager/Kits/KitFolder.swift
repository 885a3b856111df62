import Glibc

/// The folder of a kit. Nothing in it is believed: somebody else may have written it.
struct KitFolder {
    let path: String

    /// The largest file that is read, in bytes.
    static let limit = 1 << 20

    /// Writes files of a kit: first all of them under temporary names, so that a full disk leaves an earlier kit as it
    /// is; then each gets its own name, the last one last. A folder that does not exist is made, closed to others, and so
    /// is every file.
    /// - Parameter beforePlacing: what to do with the last file before any file gets its name.
    /// - Throws: `WritingError`; `OverwritingError.exists`, before anything is written; what `beforePlacing` throws. Only
    ///   an error while files get their names can leave a mixture of two kits.
    func write(_ files: [KitFile], overwriting: Bool, beforePlacing: (KitFile) throws -> Void) throws {
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw WritingError(path: path, errorNumber: errno) }
        try requireWritable(overwriting: overwriting)
        let staged = try files.map { try StagedFile($0.bytes, for: name(of: $0.name), mode: 0o600) }
        if let last = files.last { try beforePlacing(last) }
        for file in staged { try file.place() }
        AtomicFile.sync(folder: path)
    }

    /// Confirms that no file of a kit is there, or that only regular files would be replaced, and that is wanted.
    /// - Throws: `OverwritingError.exists`.
    func requireWritable(overwriting: Bool) throws(OverwritingError) {
        for name in KitFile.Name.allCases {
            var information = stat()
            guard lstat(self.name(of: name), &information) == 0 else { continue }
            guard overwriting, information.st_mode & S_IFMT == S_IFREG else { throw .exists(self.name(of: name)) }
        }
    }

    /// The names of what else is in the folder, sorted, without what is hidden: it is not of the kit, and heirs may take it for
    /// a part of it. Of a folder with very many, some.
    func others() -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while names.count < Self.mostOthers, let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: field.pointee)) {
                    String(cString: $0)
                }
            }
            if !name.hasPrefix("."), KitFile.Name(rawValue: name) == nil { names.append(name) }
        }
        return names.sorted()
    }

    private static let mostOthers = 1_000

    /// The bytes of a file.
    /// - Throws: `KitError`: `.noFolder`, `.missing`, `.noFile` for anything that is not a file, such as a link,
    ///   `.tooLarge`.
    func read(_ name: KitFile.Name) throws(KitError) -> [UInt8] {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .noFolder(path) }
        defer { close(folder) }
        let descriptor = openat(folder, name.rawValue, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw errno == ENOENT ? .missing(name) : .noFile(name) }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { throw .noFile(name) }
        guard information.st_size <= Self.limit else { throw .tooLarge(name) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .noFile(name) }
            if count == 0 { return bytes }
            guard bytes.count + count <= Self.limit else { throw .tooLarge(name) }
            bytes += chunk[..<count]
        }
    }

    private func name(of file: KitFile.Name) -> String { path + "/" + file.rawValue }
}

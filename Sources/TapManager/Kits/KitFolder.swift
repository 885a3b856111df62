import Glibc

/// The folder of a kit. Nothing in it is believed: somebody else may have written it.
struct KitFolder {
    let path: String
    /// How files and folders get their names in place of others.
    var exchange = NameExchange.system

    /// The largest file that is read, in bytes.
    static let limit = 1 << 20

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
        names { !$0.hasPrefix(".") && KitFile.Name(rawValue: $0) == nil }?.sorted() ?? []
    }

    /// What is in the folder and meets a condition; of very much, some. `nil` if it cannot be read.
    func names(where condition: (String) -> Bool) -> [String]? {
        FolderListing.names(in: path, atMost: Self.mostNames, where: condition)
    }

    private static let mostNames = 1_000

    /// The bytes of a file.
    /// - Parameter temporaryName: the name that the file has instead of its own; `nil`: it has its own.
    /// - Throws: `KitError`: `.noFolder`, `.missing`, `.noFile` for anything that is not a file, such as a link,
    ///   `.tooLarge`.
    func read(_ name: KitFile.Name, under temporaryName: String? = nil) throws(KitError) -> [UInt8] {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .noFolder(path) }
        defer { close(folder) }
        let descriptor = openat(
            folder, temporaryName ?? name.rawValue, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
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

    func name(of file: KitFile.Name) -> String { path + "/" + file.rawValue }
}

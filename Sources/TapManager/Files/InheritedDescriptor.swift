import Glibc

/// An open descriptor that this process was started with, such as standard output, by a path that leads to it:
/// `/dev/stdout`, `/dev/fd/63`, `/proc/self/fd/1`. Whatever is open there, a file must not replace what leads to it.
///
/// Spec: proc_pid_fd(5).
struct InheritedDescriptor {
    private static let folder = "/proc/self/fd"
    /// As many symbolic links as Linux follows.
    private static let mostLinks = 40

    /// The descriptor.
    let number: Int32

    /// - Returns: `nil` for a path that leads to something else, and for a descriptor that this process opened itself.
    init?(_ path: String) {
        guard let number = Self.number(at: path) else { return nil }
        // What is opened here is not passed on to other programs. A closed descriptor has no flags.
        let flags = fcntl(number, F_GETFD)
        guard flags < 0 || flags & FD_CLOEXEC == 0 else { return nil }
        self.number = number
    }

    /// Confirms that it is open for writing.
    /// - Parameter path: what leads to it, for the error.
    /// - Throws: `WritingError` with `EBADF`.
    func requireWritable(_ path: String) throws(WritingError) {
        let flags = fcntl(number, F_GETFL)
        guard flags >= 0, flags & O_ACCMODE != O_RDONLY else { throw WritingError(path: path, errorNumber: EBADF) }
    }

    /// Follows symbolic links one by one, as the last one leads to what is open.
    private static func number(at path: String) -> Int32? {
        guard let folder = resolved(Self.folder) else { return nil }
        var path = path
        for _ in 0...mostLinks {
            let (parent, name) = parts(path)
            if resolved(parent) == folder {
                return Int32(name).flatMap { $0 >= 0 && String($0) == name ? $0 : nil }
            }
            guard let target = target(of: path) else { return nil }
            path = target.hasPrefix("/") ? target : "\(parent)/\(target)"
        }
        return nil
    }

    private static func parts(_ path: String) -> (parent: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    /// The path without symbolic links; `nil` if it leads nowhere.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The target of a symbolic link; `nil` if the path is not one.
    private static func target(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

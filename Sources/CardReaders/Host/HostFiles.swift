import Glibc

/// A computer as its files describe it: the one that this process runs on, or one that is described in a folder.
///
/// Looking changes nothing and opens no device.
package protocol HostFiles: Sendable {
    /// The folder that stands for `/`; empty for the real one.
    var root: String { get }
    /// The environment variables that matter to readers.
    var environment: [String: String] { get }
}

/// The most that is read of any file.
private let sizeLimit = 1 << 20

extension HostFiles {
    /// Where a file of this computer really is.
    package func location(_ path: String) -> String { root + path }

    /// Whether something is at the path; a dangling link does not count.
    package func exists(_ path: String) -> Bool { status(path) != nil }

    /// The text of a regular file; `nil` if there is none that can be read. Devices and pipes are not opened.
    package func text(_ path: String) -> String? {
        guard let status = status(path), status.st_mode & S_IFMT == S_IFREG else { return nil }
        let descriptor = open(location(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < sizeLimit {
            let count = read(descriptor, &part, part.count)
            guard count > 0 else { break }
            bytes += part.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The lines of a regular file, trimmed; none if it cannot be read.
    package func lines(_ path: String) -> [String] {
        (text(path) ?? "").split(whereSeparator: \.isNewline).map { TextTrim.spaces($0) }
    }

    /// The only line of a file in `/sys`.
    package func line(_ path: String) -> String? { lines(path).first }

    /// The contents of a folder, in alphabetical order; empty if there is none.
    package func names(_ folder: String) -> [String] {
        guard let directory = opendir(location(folder)) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The target of a symbolic link; `nil` if the path is not one.
    package func linkTarget(_ path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(location(path), &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The path with symbolic links resolved; the path itself if it leads nowhere.
    package func resolved(_ path: String) -> String {
        guard let whole = realPath(location(path)) else { return path }
        guard !root.isEmpty, let start = realPath(root), whole.hasPrefix(start) else { return whole }
        return String(whole.dropFirst(start.count))
    }

    private func realPath(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// Whether something other than a regular file or a folder is at the path.
    package func isDevice(_ path: String) -> Bool {
        status(path).map { ![S_IFREG, S_IFDIR].contains($0.st_mode & S_IFMT) } ?? false
    }

    /// The system's record of the file.
    package func status(_ path: String) -> stat? {
        var status = stat()
        return stat(location(path), &status) == 0 ? status : nil
    }
}

/// Trims white space.
package enum TextTrim {
    /// The text without leading and trailing white space.
    package static func spaces(_ text: some StringProtocol) -> String {
        let tail = text.drop(while: \.isWhitespace)
        guard let last = tail.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(tail[...last])
    }
}

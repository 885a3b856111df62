import Glibc

extension Machine {
    /// More than this is read of no file.
    private static let sizeLimit = 1 << 20

    /// Where a file of this machine really lies.
    func location(_ path: String) -> String { root + path }

    /// Whether something is at the path; a link counts if it leads somewhere.
    func exists(_ path: String) -> Bool { status(path) != nil }

    /// The text of an ordinary file; `nil` when there is none that can be read. Devices and pipes are not opened.
    func text(_ path: String) -> String? {
        guard let status = status(path), status.st_mode & S_IFMT == S_IFREG else { return nil }
        let descriptor = open(location(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < Self.sizeLimit {
            let count = read(descriptor, &part, part.count)
            guard count > 0 else { break }
            bytes += part.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The lines of an ordinary file, without space at their ends; none when it cannot be read.
    func lines(_ path: String) -> [String] {
        (text(path) ?? "").split(whereSeparator: \.isNewline).map { TextTrim.spaces($0) }
    }

    /// The one line of a file of `/sys`.
    func line(_ path: String) -> String? { lines(path).first }

    /// What is in a folder, in alphabetical order; nothing when there is none.
    func names(_ folder: String) -> [String] {
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

    /// What a symbolic link says; `nil` when the path is none.
    func linkTarget(_ path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(location(path), &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The path without symbolic links in it; the path itself when it leads nowhere.
    func resolved(_ path: String) -> String {
        guard let whole = realPath(location(path)) else { return path }
        guard !root.isEmpty, let start = realPath(root), whole.hasPrefix(start) else { return whole }
        return String(whole.dropFirst(start.count))
    }

    private func realPath(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// Whether something other than an ordinary file or a folder is at the path.
    func isDevice(_ path: String) -> Bool {
        status(path).map { ![S_IFREG, S_IFDIR].contains($0.st_mode & S_IFMT) } ?? false
    }

    /// The system's record of what is at the path.
    func status(_ path: String) -> stat? {
        var status = stat()
        return stat(location(path), &status) == 0 ? status : nil
    }
}

/// Space at the ends of a text.
enum TextTrim {
    /// The text without white space at its ends.
    static func spaces(_ text: some StringProtocol) -> String {
        let tail = text.drop(while: \.isWhitespace)
        guard let last = tail.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(tail[...last])
    }
}

import Glibc
import TapManager
import TestSupport
import Testing

@Suite struct AtomicFileTests {
    private func read(_ path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        try #require(descriptor >= 0)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        try #require(count >= 0)
        return Array(buffer.prefix(count))
    }

    private func mode(_ path: String) throws -> mode_t {
        var information = stat()
        try #require(stat(path, &information) == 0)
        return information.st_mode & 0o7777
    }

    private func names(_ folder: TemporaryFolder) throws -> [String] {
        let directory = try #require(opendir(folder.path("")))
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private func errorNumber(_ body: () throws(WritingError) -> Void) -> Int32? {
        do { try body() } catch { return error.errorNumber }
        return nil
    }

    @Test(arguments: [0, 1, 4_096, 1_000_000]) func writesAndReplaces(count: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("file")
        try AtomicFile.write([1, 2, 3], to: path, mode: 0o644)
        let content = [UInt8](repeating: 7, count: count)
        try AtomicFile.write(content, to: path, mode: 0o600)
        #expect(try read(path) == content)
        #expect(try names(folder) == ["file"])
    }

    @Test(arguments: [0o600, 0o644, 0o666] as [mode_t]) func givesTheModeWhateverTheUmask(_ wanted: mode_t) throws {
        let folder = try TemporaryFolder()
        try AtomicFile.write([1], to: folder.path("file"), mode: wanted)
        #expect(try mode(folder.path("file")) == wanted)
    }

    @Test func whoeverHasTheOldFileOpenKeepsIt() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("file")
        try AtomicFile.write([1, 2, 3], to: path, mode: 0o600)
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        try AtomicFile.write([4], to: path, mode: 0o600)
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(Glibc.read(descriptor, &buffer, 8) == 3)
        #expect(Array(buffer.prefix(3)) == [1, 2, 3])
    }

    /// A reader in the midst of many writes sees one content or the other, whole.
    @Test func nobodySeesAPart() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("file")
        let contents = [UInt8(1), 2].map { [UInt8](repeating: $0, count: 100_000) }
        try AtomicFile.write(contents[0], to: path, mode: 0o600)
        let writer = Task.detached {
            for round in 0..<50 { try AtomicFile.write(contents[round % 2], to: path, mode: 0o600) }
        }
        for _ in 0..<200 { #expect(contents.contains(try read(path))) }
        try await writer.value
    }

    @Test func foldersThatAreMissingOrAreTheTarget() throws {
        let folder = try TemporaryFolder()
        #expect(
            errorNumber { () throws(WritingError) in
                try AtomicFile.write([1], to: folder.path("none/file"), mode: 0o600)
            } == ENOENT)
        #expect(
            errorNumber { () throws(WritingError) in
                try AtomicFile.checkWritable(folder.path("none/file"))
            } == ENOENT)
        let inner = folder.path("inner")
        try #require(mkdir(inner, 0o700) == 0)
        #expect(
            errorNumber { () throws(WritingError) in
                try AtomicFile.write([1], to: inner, mode: 0o600)
            } == EISDIR)
        #expect(
            errorNumber { () throws(WritingError) in
                try AtomicFile.checkWritable(inner)
            } == EISDIR)
        #expect(try names(folder) == ["inner"])
    }

    /// The kernel's own folder takes no files, not even root's.
    @Test func aFolderThatCannotBeWritten() {
        #expect(
            errorNumber { () throws(WritingError) in
                try AtomicFile.write([1], to: "/proc/tapkit", mode: 0o600)
            } != nil)
        #expect(
            errorNumber { () throws(WritingError) in
                try AtomicFile.checkWritable("/proc/tapkit")
            } != nil)
    }

    @Test func aDeviceIsWrittenToAndStays() throws {
        try AtomicFile.checkWritable("/dev/null")
        try AtomicFile.write([1], to: "/dev/null", mode: 0o600)
        #expect(
            errorNumber { () throws(WritingError) in
                try AtomicFile.write([1], to: "/dev/full", mode: 0o600)
            } == ENOSPC)
        for path in ["/dev/null", "/dev/full"] {
            var information = stat()
            #expect(stat(path, &information) == 0)
            #expect(information.st_mode & S_IFMT == S_IFCHR)
        }
    }

    private func isLink(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFLNK
    }

    /// Opens a file as a shell does that starts a program: other programs get the descriptor, too.
    private func passedOn(_ path: String, _ flags: Int32) throws -> Int32 {
        let descriptor = open(path, flags, 0o600)
        try #require(descriptor >= 0)
        return descriptor
    }

    /// Standard output, sent to a file: nothing replaces what leads there, and nothing in the file is written over.
    @Test func whatIsOpenAlreadyIsWrittenToAndStays() throws {
        let folder = try TemporaryFolder()
        let file = folder.path("file")
        let descriptor = try passedOn(file, O_WRONLY | O_CREAT)
        defer { close(descriptor) }
        let first: [UInt8] = [1]
        try #require(Glibc.write(descriptor, first, first.count) == 1)
        let links = ["link", "link to it"].map { folder.path($0) }
        try #require(symlink("/proc/self/fd/\(descriptor)", links[0]) == 0 && symlink("link", links[1]) == 0)
        let folders = ["/proc/self/fd", "/dev/fd", "/proc/\(getpid())/fd"]
        for (number, path) in zip(2..., links + folders.map { "\($0)/\(descriptor)" }) {
            #expect(AtomicFile.length(of: path) == nil && AtomicFile.content(of: path, limit: 100) == nil, "\(path)")
            try AtomicFile.checkWritable(path)
            if number.isMultiple(of: 2) {
                try AtomicFile.write([UInt8(number)], to: path, mode: 0o600)
            } else {
                try AtomicFile.writeKeeping([UInt8(number)], at: path, mode: 0o600)
            }
            #expect(try read(file) == Array(1...UInt8(number)), "\(path)")
        }
        #expect(links.allSatisfy { isLink($0) } && AtomicFile.length(of: file) == 6)
        #expect(try names(folder) == ["file", "link", "link to it"])
    }

    /// A descriptor that is closed, or open for reading only, is an error, and what leads to it stays.
    @Test func whatIsNotOpenForWritingStays() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("precious", to: "file")
        let descriptor = try passedOn(file, O_RDONLY)
        defer { close(descriptor) }
        let link = folder.path("link")
        for number in [descriptor, 1_000_000] {
            try #require(symlink("/proc/self/fd/\(number)", link) == 0)
            #expect(errorNumber { () throws(WritingError) in try AtomicFile.checkWritable(link) } == EBADF)
            #expect(
                errorNumber { () throws(WritingError) in
                    try AtomicFile.write([1], to: link, mode: 0o600)
                } == EBADF)
            #expect(isLink(link))
            try #require(unlink(link) == 0)
        }
        #expect(try read(file) == Array("precious".utf8))
    }

    /// What this process opened for itself, such as the store, has a name there as well.
    @Test func whatThisProcessOpenedIsNotWrittenTo() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("precious", to: "file")
        let descriptor = open(file, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        try #require(descriptor >= 0)
        #expect(
            errorNumber { () throws(WritingError) in
                try AtomicFile.write([1], to: "/proc/self/fd/\(descriptor)", mode: 0o600)
            } != nil)
        #expect(try read(file) == Array("precious".utf8))
    }

    /// Any other link is replaced, and what it leads to stays.
    @Test func aLinkToAFileIsReplaced() throws {
        let folder = try TemporaryFolder()
        let (file, link) = (try folder.write("precious", to: "file"), folder.path("link"))
        try #require(symlink("file", link) == 0)
        try AtomicFile.write([1], to: link, mode: 0o600)
        #expect(try !isLink(link) && read(link) == [1] && read(file) == Array("precious".utf8))
    }

    /// The disk is full: nothing of the new content is left, all of the old is.
    @Test func aFullDiskLeavesTheOldFile() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("file")
        try AtomicFile.write([1, 2, 3], to: path, mode: 0o600)
        await #expect(processExitsWith: .success) { [path = path as String] in
            var limit = rlimit(rlim_cur: 1_000, rlim_max: 1_000)
            signal(SIGXFSZ, SIG_IGN)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            do {
                try AtomicFile.write([UInt8](repeating: 9, count: 5_000), to: path, mode: 0o600)
            } catch let error as WritingError {
                exit(error.errorNumber == EFBIG ? EXIT_SUCCESS : EXIT_FAILURE)
            }
            exit(EXIT_FAILURE)
        }
        #expect(try read(path) == [1, 2, 3])
        #expect(try names(folder) == ["file"])
    }

    @Test func aFileWithOtherContentIsKept() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("backup.aes")
        try AtomicFile.writeKeeping([1, 2], at: path, mode: 0o600)
        try AtomicFile.writeKeeping([1, 2], at: path, mode: 0o600)
        for other in [[1], [1, 3], [1, 2, 3]] as [[UInt8]] {
            #expect(throws: WritingError(path: path, errorNumber: EEXIST)) {
                try AtomicFile.writeKeeping(other, at: path, mode: 0o600)
            }
        }
        #expect(try read(path) == [1, 2])
    }
}

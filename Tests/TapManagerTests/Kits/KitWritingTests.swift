import Bitcoin
import Foundation
import TestSupport
import Testing

@testable import TapManager

/// A kit that cannot be written whole leaves an earlier one in the same folder as it was.
@Suite struct KitWritingTests {
    private let bench: DrillBench
    private let opened: OpenedWallet

    init() async throws {
        bench = try DrillBench()
        // So many keys that the main document, which is written last, is the largest file.
        let holders = try (UInt8(1)...8).map { try SampleWallet(seed: $0) }
        let policy = SamplePolicy("multi(2,#A,#B,#C,#D,#E,#F,#G,#H)", holders)
        opened = try await bench.written(try #require(policy.descriptor().text))
    }

    /// Other texts than those of the kit in the folder.
    private static let texts = [KitFile(.readMe, "read me again\n"), KitFile(.page, "<svg></svg>\n")]

    /// The kit in the folder is one that the store wrote, and nothing else is there.
    private static func expectWhole(_ bench: DrillBench) throws {
        let kit = try bench.read()
        try bench.manager.require(kit, of: bench.manager.wallet(named: "family"))
        #expect(kit.others.isEmpty)
    }

    /// File systems that cannot exchange two names.
    private static var unable: NameExchange {
        NameExchange { _, _ in
            errno = EINVAL
            return -1
        }
    }

    /// Writes another kit into the folder.
    /// - Parameter act: what happens before any file gets its name.
    private func write(by exchange: NameExchange = .system, meanwhile act: () throws -> Void = {}) throws {
        let files = try bench.manager.kit(of: opened).files(with: Self.texts)
        try KitFolder(path: bench.kit, exchange: exchange).write(files, overwriting: true) { document in
            try bench.store.noteKit(SHA256.hash(document.bytes), of: opened.stored, at: DrillBench.start)
            try act()
        }
    }

    /// The files in the folder.
    private func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.kit)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: bench.kit + "/" + $0))) })
    }

    private func information(_ path: String) throws -> stat {
        var information = stat()
        let status = lstat(path, &information)
        try #require(status == 0)
        return information
    }

    /// What lies beside the folder, and the folder.
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: bench.folder.url.path).sorted()
    }

    @Test func aStoreThatFailsLeavesTheOldKit() throws {
        struct Full: Error {}
        let old = try contents()
        #expect(throws: Full.self) { try write { throw Full() } }
        #expect(try contents() == old)
        #expect(try names() == ["kit"])
        try Self.expectWhole(bench)
        let files = try bench.manager.kit(of: opened).files(with: Self.texts)
        #expect(throws: Full.self) {
            try KitFolder(path: bench.folder.path("new")).write(files, overwriting: false) { _ in throw Full() }
        }
        #expect(try names() == ["kit"])
    }

    /// A folder that has nothing but a kit gives way to another one in one step, if the file system can do that.
    @Test(arguments: [true, false]) func aKitAloneIsReplacedAtOnce(_ canExchange: Bool) throws {
        #expect(chmod(bench.kit, 0o750) == 0)
        let (old, before) = (try contents(), try information(bench.kit))
        try write(by: canExchange ? .system : Self.unable) {
            for (name, bytes) in old { #expect((try? contents())?[name] == bytes) }
        }
        let after = try information(bench.kit)
        #expect(after.st_mode == before.st_mode && (after.st_ino != before.st_ino) == canExchange)
        #expect(try contents().count == 5)
        #expect(try contents()["read-me.txt"] == Data("read me again\n".utf8))
        #expect(try information(bench.kit + "/wallet.json").st_mode & 0o7777 == 0o600)
        #expect(try names() == ["kit"])
        try Self.expectWhole(bench)
    }

    /// What somebody puts into the folder at the last moment is in the new one.
    @Test func whatComesInTheRaceStays() throws {
        let late = NameExchange { new, old in
            _ = FileManager.default.createFile(atPath: old + "/late.txt", contents: Data("mine".utf8))
            return NameExchange.system.perform(new, old)
        }
        let before = try information(bench.kit)
        try write(by: late)
        #expect(try information(bench.kit).st_ino != before.st_ino)
        #expect(try contents()["late.txt"] == Data("mine".utf8) && contents().count == 6)
        #expect(try names() == ["kit"])
        try FileManager.default.removeItem(atPath: bench.kit + "/late.txt")
        try Self.expectWhole(bench)
    }

    /// What somebody else puts in the folder's place is not emptied.
    @Test func anotherFolderInItsPlaceStays() throws {
        let (other, aside) = (bench.folder.path("other"), bench.folder.path("aside"))
        try FileManager.default.copyItem(atPath: bench.kit, toPath: other)
        let kit = bench.kit
        let thief = NameExchange { new, old in
            if rename(old, aside) == 0, old == kit { symlink(other, old) }
            return NameExchange.system.perform(new, old)
        }
        #expect { try write(by: thief) } throws: { ($0 as? WritingError)?.errorNumber == ESTALE }
        #expect(try names() == ["aside", "kit", "other"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: other).count == 5)
        #expect(try FileManager.default.contentsOfDirectory(atPath: aside).count == 5)

        // What cannot get its place back stays, too.
        try FileManager.default.removeItem(atPath: kit)
        try FileManager.default.moveItem(atPath: aside, toPath: kit)
        let stubborn = NameExchange { new, old in
            guard access(aside, F_OK) != 0 else { return -1 }
            return thief.perform(new, old)
        }
        #expect { try write(by: stubborn) } throws: { ($0 as? WritingError)?.errorNumber == ESTALE }
        #expect(try FileManager.default.contentsOfDirectory(atPath: other).count == 5)
        #expect(try contents().count == 5 && contents()["read-me.txt"] == Data("read me again\n".utf8))
    }

    /// Of a folder that cannot be read, nobody knows what is in it.
    @Test func aFolderThatCannotBeReadIsNotEmpty() {
        #expect(KitFolder(path: bench.folder.path("none")).names { _ in true } == nil)
        #expect(KitFolder(path: bench.kit).names { _ in true }?.count == 5)
    }

    /// Any other folder stays, with what somebody put into it.
    @Test(arguments: [true, false]) func filesOfOnesOwnStay(_ canExchange: Bool) throws {
        let exchange = canExchange ? NameExchange.system : Self.unable
        for name in ["notes.txt", ".hidden"] {
            try bench.folder.write("mine", to: "kit/" + name)
            let before = try information(bench.kit)
            try write(by: exchange)
            #expect(try information(bench.kit).st_ino == before.st_ino)
            #expect(try contents().count == 6)
            #expect(try contents()[name] == Data("mine".utf8))
            try FileManager.default.removeItem(atPath: bench.kit + "/" + name)
            try Self.expectWhole(bench)
        }
        // A link to a folder stays a link.
        let real = bench.folder.path("real")
        try FileManager.default.moveItem(atPath: bench.kit, toPath: real)
        try FileManager.default.createSymbolicLink(atPath: bench.kit, withDestinationPath: real)
        try write(by: exchange)
        #expect(try information(bench.kit).st_mode & S_IFMT == S_IFLNK)
        try Self.expectWhole(bench)
    }

    /// One of the files cannot get its name: those before it give theirs back.
    @Test(arguments: [true, false]) func aFileThatCannotBePlacedLeavesTheOldKit(_ canExchange: Bool) throws {
        try bench.folder.write("mine", to: "kit/notes.txt")
        let (old, page) = (try contents(), bench.kit + "/page.svg")
        #expect(throws: WritingError(path: page, errorNumber: EPERM)) {
            try write(by: canExchange ? .system : Self.unable) {
                try FileManager.default.moveItem(atPath: page, toPath: bench.folder.path("page"))
                try FileManager.default.createDirectory(atPath: page, withIntermediateDirectories: false)
            }
        }
        try FileManager.default.removeItem(atPath: page)
        try FileManager.default.moveItem(atPath: bench.folder.path("page"), toPath: page)
        #expect(try contents() == old)
    }

    /// The disk fails at each of the files.
    @Test(arguments: KitFile.Name.allCases) func aDiskThatFailsLeavesTheOldKit(_ name: KitFile.Name) throws {
        try bench.folder.write("mine", to: "kit/notes.txt")
        let (old, path) = (try contents(), bench.kit + "/" + name.rawValue)
        let failing = NameExchange { one, other in
            guard other == path else { return NameExchange.system.perform(one, other) }
            errno = EIO
            return -1
        }
        #expect(throws: WritingError(path: path, errorNumber: EIO)) { try write(by: failing) }
        #expect(try contents() == old)
    }

    /// Whenever the machine loses power, the folder has one of the kits, or it shows that it has parts of both.
    @Test(arguments: [true, false]) func aKitThatWasCutOffIsTold(_ canExchange: Bool) throws {
        try bench.folder.write("mine", to: "kit/notes.txt")
        var states: [String] = []
        let watched = NameExchange { one, other in
            let state = bench.folder.path("state\(states.count)")
            try? FileManager.default.copyItem(atPath: bench.kit, toPath: state)
            states.append(state)
            return (canExchange ? NameExchange.system : Self.unable).perform(one, other)
        }
        try write(by: watched)
        try #require(states.count == 5)
        for folder in [bench.kit] + states.prefix(3) {
            try bench.manager.require(ReadKit(folder: folder), of: bench.manager.wallet(named: "family"))
        }
        // The read-me has its name, and after it the page; the main document does not.
        for folder in states.dropFirst(3) {
            #expect(throws: KitError.mixed(.readMe)) { try ReadKit(folder: folder) }
        }
        #expect(KitError.mixed(.readMe).code == .alteredKit)
        // What is of neither kit is an alteration, whatever else lies there.
        try "Pay the stranger.".write(toFile: states[3] + "/read-me.txt", atomically: false, encoding: .utf8)
        #expect(throws: KitError.altered(.file(.readMe))) { try ReadKit(folder: states[3]) }
        try FileManager.default.removeItem(atPath: states[4] + "/wallet.json")
        #expect(throws: KitError.mixed(.document)) { try ReadKit(folder: states[4]) }
        // Writing once more mends it.
        let files = try bench.manager.kit(of: opened).files(with: Self.texts)
        try KitFolder(path: states[4]).write(files, overwriting: true) { _ in }
        _ = try ReadKit(folder: states[4])
    }

    /// Disks with room for one kit, and for more and more of another one.
    @Test func aFullDiskLeavesTheOldKit() async throws {
        let (bench, opened) = (self.bench, self.opened)
        let (full, done) = try await PrivateMounts.run {
            var (full, done) = (0, 0)
            for pages in 1...24 {
                try PrivateMounts.mountDisk(of: pages * 4_096, at: bench.kit)
                do { try bench.write(opened) } catch is WritingError { continue }
                do {
                    _ = try bench.manager.write(
                        bench.manager.kit(of: opened), of: opened, with: Self.texts, to: bench.kit, overwriting: true)
                    done += 1
                } catch is WritingError { full += 1 }
                try Self.expectWhole(bench)
            }
            return (full, done)
        }
        #expect(full > 0 && done > 0)
    }
}

import Bitcoin
import Foundation
import TestSupport
import Testing

@testable import TapManager

/// Disks that are full, and folders that are read only.
@Suite struct StoreDiskTests {
    /// The disk fills up at each write in turn: the write is there, or the error says that the disk is full; nothing that
    /// was written before is lost, and with room again all goes on.
    @Test func aFullDiskLosesNothing() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path
        let (done, full) = try await PrivateMounts.run {
            try PrivateMounts.mountDisk(of: 6_000_000, at: path)
            let sample = try StoreSample.psbt()
            var (done, full) = (Set<TransactionID>(), 0)
            var number: UInt32 = 0
            for pages in 0..<45 {
                // Sometimes one that is open already, sometimes one that must be opened on the full disk.
                var store: SQLiteStore? = pages % 3 == 0 ? nil : try open(path)
                try Self.fill(path, leaving: pages)
                do {
                    let opened = try store ?? open(path)
                    store = opened
                    for _ in 0..<6 {
                        number += 1
                        let psbt = try StoreSample.variant(number, of: sample)
                        _ = try opened.merge(psbt, at: 1)
                        done.insert(psbt.unsignedTransaction.id)
                    }
                } catch StoreError.diskFull { full += 1 }
                if let store { #expect(try store.transactionCount() == done.count) }
                Self.empty(path)
                let whole = try open(path)
                #expect(try whole.transactionCount() == done.count)
                #expect(try StoreCheck(folder: path)?.problems == [])
                for id in done { #expect(try whole.transaction(id) != nil) }
            }
            return (done.count, full)
        }
        print("\(done) writes done, \(full) times the disk was full")
        #expect(done > 0 && full > 0)
    }

    /// A disk that is full from the beginning: no store, no half of one.
    @Test func onAFullDiskNoStoreIsMade() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path
        try await PrivateMounts.run {
            try PrivateMounts.mountDisk(of: 6_000_000, at: path)
            for pages in 0..<30 {
                try Self.fill(path, leaving: pages)
                do { _ = try open(path) } catch StoreError.diskFull {}
                Self.empty(path)
                #expect(try open(path).cards() == [])
                for name in try FileManager.default.contentsOfDirectory(atPath: path) { unlink(path + "/" + name) }
            }
        }
    }

    @Test func aCopyToAFullDiskLeavesNothing() async throws {
        let folder = try TemporaryFolder()
        let (path, disk) = (folder.path("data"), folder.path("disk"))
        try await PrivateMounts.run {
            let store = try open(path)
            try StoreSample.fill(store)
            mkdir(disk, 0o700)
            try PrivateMounts.mountDisk(of: 40_960, at: disk)
            let error = #expect(throws: StoreCopyError.self) { try store.backUp(to: disk + "/copy") }
            #expect(error == .file(WritingError(path: disk + "/copy", errorNumber: ENOSPC)))
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == [])
            #expect(try store.cards().count == 1)
        }
    }

    /// However much room is left for a copy: what does not fit is told as that, and not as a missing permission.
    @Test func aCopyThatDoesNotFitIsNotMade() async throws {
        let folder = try TemporaryFolder()
        let (path, disk) = (folder.path("data"), folder.path("disk"))
        let full = try await PrivateMounts.run {
            let store = try open(path)
            try StoreSample.fill(store)
            mkdir(disk, 0o700)
            try PrivateMounts.mountDisk(of: 6_000_000, at: disk)
            var full = 0
            for pages in stride(from: 0, to: 120, by: 3) {
                try Self.fill(disk, leaving: pages)
                do throws(StoreCopyError) { try store.backUp(to: disk + "/copy") } catch {
                    #expect(error.code == .diskFull, "\(pages): \(error)")
                    full += 1
                }
                for name in try FileManager.default.contentsOfDirectory(atPath: disk) where name != "ballast" {
                    unlink(disk + "/" + name)
                }
                Self.empty(disk)
            }
            return full
        }
        #expect(full > 0)
    }

    /// A disk with room, but for no other file, is full too.
    @Test func whereNoOtherFileFitsTheDiskIsFull() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path
        try await PrivateMounts.run {
            try PrivateMounts.mountDisk(of: 6_000_000, files: 40, at: path)
            _ = try open(path)
            var number = 0
            while case let file = Glibc.open("\(path)/\(number)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600), file >= 0 {
                close(file)
                number += 1
            }
            let error = #expect(throws: StoreError.self) { _ = try open(path) }
            guard case .diskFull = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    /// A full disk that can only be read: to free some space would not help.
    @Test func aFullDiskThatIsReadOnlyIsToldAsThat() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path
        try await PrivateMounts.run {
            try PrivateMounts.mountDisk(of: 6_000_000, at: path)
            try StoreSample.fill(try open(path))
            try Self.fill(path, leaving: 0)
            try PrivateMounts.makeReadOnly(path)
            let looking = try #require(try SQLiteStore.openExisting(folder: path, clock: StoreBench.clock))
            let error = #expect(throws: StoreError.self) { try looking.save(StoreSample.card(2)) }
            guard case .notWritable = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    /// What was stored can be read in a folder that is read only; every write says why it cannot be.
    @Test(arguments: [false, true]) func aReadOnlyFolderCanBeRead(isInUse: Bool) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("data ü?%20#")
        try await PrivateMounts.run {
            var store: SQLiteStore? = try open(path)
            if let store { try StoreSample.fill(store) }
            if !isInUse { store = nil }
            try PrivateMounts.makeReadOnly(path)
            let looking = try #require(try SQLiteStore.openExisting(folder: path, clock: StoreBench.clock))
            for read in StoreSample.reads(looking) { try read() }
            #expect(try looking.cards().count == 1)
            #expect(try looking.transactions(limit: 9, offset: 0).first?.missing == 1)
            #expect(try StoreCheck(folder: path)?.problems == [])
            let copy = folder.path("copy")
            try looking.backUp(to: copy)
            let writes: [() throws -> Void] = [
                { _ = try open(path) }, { try looking.save(StoreSample.card(2)) },
                { try looking.finish(.setup, of: StoreSample.ident(1)) },
            ]
            for write in writes {
                let error = #expect(throws: StoreError.self, performing: write)
                guard case .notWritable = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
            }
            withExtendedLifetime(store) {}
        }
    }

    @Test func inAReadOnlyFolderNoStoreIsMade() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path
        try await PrivateMounts.run {
            try PrivateMounts.makeReadOnly(path)
            for folder in [path, path + "/below"] {
                let error = #expect(throws: StoreError.self) { _ = try open(folder) }
                guard case .notWritable = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(try SQLiteStore.openExisting(folder: folder, clock: StoreBench.clock) == nil)
            }
        }
    }

    /// Makes room again, even while a process that another test has just started still has the file open.
    private static func empty(_ path: String) {
        truncate(path + "/ballast", 0)
        unlink(path + "/ballast")
    }

    private static func fill(_ path: String, leaving pages: Int) throws {
        let descriptor = Glibc.open(path + "/ballast", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let page = [UInt8](repeating: 1, count: 4_096)
        while write(descriptor, page, page.count) == page.count {}
        var information = stat()
        fstat(descriptor, &information)
        ftruncate(descriptor, max(0, information.st_size / 4_096 - pages) * 4_096)
        close(descriptor)
    }
}

private func open(_ path: String) throws -> SQLiteStore {
    try SQLiteStore.open(folder: path, clock: StoreBench.clock)
}

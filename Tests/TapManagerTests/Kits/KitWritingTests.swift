import Bitcoin
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

    @Test func aStoreThatFailsLeavesTheOldKit() throws {
        struct Full: Error {}
        let files = try bench.manager.kit(of: opened).files(with: Self.texts)
        #expect(throws: Full.self) {
            try KitFolder(path: bench.kit).write(files, overwriting: true) { _ in throw Full() }
        }
        try Self.expectWhole(bench)
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

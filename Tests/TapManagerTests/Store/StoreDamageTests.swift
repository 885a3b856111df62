import Bitcoin
import Foundation
import GRDB
import TestSupport
import Testing

@testable import TapManager

/// A damaged file is put aside whole, by whoever notices, when nobody else uses it; nothing else is.
@Suite struct StoreDamageTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.url.path
    }

    private static let aside = "store.sqlite.damaged-20261122T010203Z"

    private func open() throws -> SQLiteStore { try SQLiteStore.open(folder: path, clock: StoreBench.clock) }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != "store.lock" }.sorted()
    }

    private func expectDamaged(_ aside: String = Self.aside, _ body: () throws -> Void) {
        #expect(
            throws: StoreError.damaged(path: path + "/store.sqlite", setAside: path + "/" + aside), performing: body)
    }

    @Test func whatIsNoDatabaseIsPutAside() throws {
        let garbage = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        for aside in [Self.aside, Self.aside + "-2", Self.aside + "-3"] {
            try garbage.write(to: URL(fileURLWithPath: path + "/store.sqlite"))
            expectDamaged(aside) { _ = try open() }
            #expect(try !names().contains("store.sqlite"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + "/" + aside)) == garbage)
        }
        #expect(try open().cards() == [])
    }

    /// The check, and a look, do not move it.
    @Test func aCheckLeavesADamagedFileWhereItIs() throws {
        try Data(repeating: 65, count: 5_000).write(to: URL(fileURLWithPath: path + "/store.sqlite"))
        let check = try #require(try StoreCheck(folder: path))
        #expect(check.problems == ["file is not a database"])
        #expect(try names() == ["store.sqlite"])
    }

    /// Overwrites the page in which the cards are.
    private func spoilCards() throws { try spoil(page: rootPage(of: "card")) }

    private func rootPage(of table: String) throws -> Int {
        try #require(
            try open().read {
                try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [table])
            })
    }

    private func spoil(page: Int) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path + "/store.sqlite"))
        try file.seek(toOffset: UInt64(page - 1) * 4_096)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 4_096))
        try file.close()
    }

    /// The page with the last rows of a table without row numbers. Spec: SQLite, "Database File Format", 1.6.
    private func lastPage(of table: String) throws -> Int {
        var page = try rootPage(of: table)
        let file = try Data(contentsOf: URL(fileURLWithPath: path + "/store.sqlite"))
        // Kind 2 has other pages below it, the last of them in bytes 8 to 11.
        while true {
            let start = (page - 1) * 4_096
            guard file[start] == 2 else { return page }
            page = file[(start + 8)..<(start + 12)].reduce(0) { $0 << 8 | Int($1) }
        }
    }

    /// An export has the descriptors of all wallets but those on the damaged page, and names those that lack some.
    @Test func aDamagedPageOfDescriptorsSparesOtherWallets() throws {
        let names = (10..<40).map { "w\($0)" }
        do {
            let store = try open()
            for name in names {
                let text = DescriptorText(stored: name + String(repeating: "d", count: 700))
                try store.save(StoredWallet(name: name, network: .test, descriptors: [text], created: 1))
            }
        }
        try spoil(page: lastPage(of: "wallet_descriptor"))
        var bytes: [UInt8] = []
        let unreadable = try StoreExport(open(), at: 9).write { bytes += $0 }
        let export = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        #expect(export["unreadable"] as? [String] == unreadable)
        let wallets = try #require(export["wallets"] as? [[String: Any]])
        #expect(wallets.map { $0["name"] as? String } == names)
        let lost = wallets.filter { ($0["descriptors"] as? [Any])?.isEmpty != false }
            .compactMap { $0["name"] as? String }
        #expect((1..<10).contains(lost.count))
        #expect(lost == Array(names.suffix(lost.count)))
        for name in lost { #expect(unreadable.contains { $0.hasPrefix("the descriptors of wallet \(name): ") }) }
        // SQLite looks for more after the last one before that page.
        #expect((lost.count...lost.count + 1).contains(unreadable.count))
    }

    @Test func damageThatIsNoticedLaterIsPutAsideWithItsLog() throws {
        try StoreSample.fill(open())
        try spoilCards()
        let store = try open()
        expectDamaged { _ = try store.cards() }
        // It stays so for this store; nothing is made anew by it.
        expectDamaged { try store.save(StoreSample.card(2)) }
        let kept = try names()
        #expect(kept.contains(Self.aside))
        #expect(!kept.contains("store.sqlite") && !kept.contains("store.sqlite-wal"))
        let new = try open()
        try new.save(StoreSample.card(3))
        // The old connections close behind a store that has their old name.
        withExtendedLifetime(store) {}
        #expect(try new.cards().count == 1)
        #expect(try open().cards().count == 1)
    }

    @Test func damageIsLeftInPlaceWhileOthersUseTheFile() throws {
        try StoreSample.fill(open())
        try spoilCards()
        let (one, two) = (try open(), try open())
        for store in [one, two] {
            #expect(throws: StoreError.damagedInUse(path: store.path, reason: "another process uses it")) {
                try store.cards()
            }
        }
        #expect(try names().contains("store.sqlite"))
    }

    /// Any byte may be wrong: the answer is right, or an error; a file that is put aside is never lost.
    @Test func randomDamageNeverTraps() throws {
        var random = SeededGenerator()
        try StoreSample.fill(open())
        let whole = try Data(contentsOf: URL(fileURLWithPath: path + "/store.sqlite"))
        var faults: [String: Int] = [:]
        for _ in 0..<150 {
            var damaged = whole
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { damaged = damaged.prefix(Int.random(in: 1...whole.count, using: &random)) }
            for name in try names() { try FileManager.default.removeItem(atPath: path + "/" + name) }
            try damaged.write(to: URL(fileURLWithPath: path + "/store.sqlite"))
            chmod(path + "/store.sqlite", 0o600)
            _ = try? StoreCheck(folder: path)
            do {
                let store = try open()
                for read in StoreSample.reads(store) { try read() }
                try StoreSample.fill(store)
                faults["none", default: 0] += 1
            } catch let error as StoreError {
                faults[String("\(error)".prefix { $0 != "(" }), default: 0] += 1
                if case .damaged(_, let aside) = error { #expect(access(aside, F_OK) == 0) }
                if case .damagedInUse = error { Issue.record("\(error)") }
            }
        }
        print("faults: \(faults)")
        #expect(faults["damaged", default: 0] > 0)
    }
}

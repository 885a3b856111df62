import Bitcoin
import Foundation
import TestSupport
import Testing

@testable import TapManager

/// Copies of the store: as a database, and as JSON.
@Suite struct StoreCopyTests {
    let folder: TemporaryFolder
    let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore.open(folder: folder.path("data"), clock: StoreBench.clock)
    }

    private func export(_ store: SQLiteStore) throws -> Data {
        var bytes: [UInt8] = []
        try StoreExport(store, at: 9).write { bytes += $0 }
        return Data(bytes)
    }

    @Test func aCopyIsAStoreByItself() throws {
        try StoreSample.fill(store)
        mkdir(folder.path("other"), 0o700)
        try store.backUp(to: folder.path("other/store.sqlite"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("other")) == ["store.sqlite"])
        var information = stat()
        #expect(stat(folder.path("other/store.sqlite"), &information) == 0)
        #expect(information.st_mode & 0o7777 == 0o600)
        let copy = try #require(
            try SQLiteStore.openExisting(folder: folder.path("other"), clock: StoreBench.clock))
        #expect(try export(copy) == export(store))
        #expect(try StoreCheck(folder: folder.path("other"))?.problems == [])
    }

    /// A front end asks the manager for copies, and for the check without one; a store in memory has nothing to copy.
    @Test func aManagerCopiesItsStore() throws {
        try StoreSample.fill(store)
        let manager = CardManager(store: store, clock: { UnixTime(seconds: 9) })
        mkdir(folder.path("other"), 0o700)
        #expect(try manager.backUpStore(to: folder.path("other/store.sqlite")) == store.path)
        var bytes: [UInt8] = []
        let (file, unreadable) = try manager.exportStore { bytes += $0 }
        #expect(try file == store.path && unreadable.isEmpty && Data(bytes) == export(store))
        #expect(try manager.exportStore(toNewFile: folder.path("all.json")).unreadable.isEmpty)
        #expect(try FileManager.default.contents(atPath: folder.path("all.json")) == export(store))
        #expect(try CardManager.checkStore(in: folder.path("other"))?.problems == [])
        #expect(try CardManager.checkStore(in: folder.path("none")) == nil)
        let memory = CardManager(store: MemoryStore(), clock: { UnixTime(seconds: 9) })
        #expect(throws: StoreCopyError.inMemory) { try memory.backUpStore(to: folder.path("x")) }
        #expect(throws: StoreCopyError.inMemory) { try memory.exportStore { _ in } }
    }

    /// A row that cannot be read takes no other with it.
    @Test(arguments: [
        "UPDATE card SET product = 'x'", "UPDATE psbt SET network = 'moon'", "UPDATE flow SET state = '{'",
        "UPDATE backup SET count = -1", "UPDATE wallet SET network = ''",
    ]) func oneBadRowIsOneLoss(_ sql: String) throws {
        try StoreSample.fill(store)
        let table = try #require(sql.split(separator: " ").dropFirst().first)
        let name = table == "psbt" ? "transactions" : "\(table)s"
        // A second row in each table, and damage to the first one alone.
        let ident = try StoreSample.ident(1)
        try store.save(StoreSample.card(2, fingerprint: nil))
        _ = try store.merge(StoreSample.psbt(payment: 1_000), at: 7)
        try store.record(
            try .derive(DeriveState(from: DerivationPath(parsing: "m"), to: DerivationPath(parsing: "m/1h"))),
            of: ident, at: 8)
        try store.save(StoredBackup(card: ident, ciphertext: EncryptedBackup([8]), count: 2, created: 9))
        try store.save(StoredWallet(name: "x", network: .test, descriptors: ["d3"], created: 9))
        let whole = try #require(try JSONSerialization.jsonObject(with: export(store)) as? [String: Any])
        try store.write {
            try $0.execute(sql: "\(sql) WHERE rowid = (SELECT min(rowid) FROM \(table))")
        }
        let rest = try #require(try JSONSerialization.jsonObject(with: export(store)) as? [String: Any])
        #expect((rest["unreadable"] as? [String])?.count == 1)
        for (key, value) in whole {
            guard let rows = value as? [Any] else { continue }
            #expect((rest[key] as? [Any])?.count == rows.count - (key == name ? 1 : 0), "\(key)")
        }
        #expect((rest[name] as? [Any])?.isEmpty == false)
    }

    /// A registration that cannot be read takes no other with it, neither of its wallet nor of another one.
    @Test func aBadRegistrationIsOneLoss() throws {
        let path = try DerivationPath(parsing: "m/48h/1h/0h/2h")
        func registration(_ holder: UInt8) throws -> StoredRegistration {
            StoredRegistration(
                account: KeyOrigin(fingerprint: try SampleWallet(seed: holder).fingerprint, path: path),
                bytes: [holder], created: UnixTime(seconds: Int64(holder)))
        }
        for (name, holders) in [("a", [1, 2]), ("b", [3])] as [(String, [UInt8])] {
            try store.save(
                StoredWallet(
                    name: name, network: .test, descriptors: ["d"], created: 1,
                    registrations: holders.map(registration)))
        }
        try store.write {
            try $0.execute(sql: "UPDATE wallet_registration SET path = 'x' WHERE registration = x'01'")
        }
        let rest = try #require(try JSONSerialization.jsonObject(with: export(store)) as? [String: Any])
        #expect(rest["unreadable"] as? [String] == ["a registration of wallet a: path"])
        let wallets = try #require(rest["wallets"] as? [[String: Any]])
        #expect(wallets.map { $0["descriptors"] as? [String] } == [["d"], ["d"]])
        let left = wallets.map { ($0["registrations"] as? [[String: Any]])?.map { $0["registration"] as? String } }
        #expect(left == [["02"], ["03"]])
    }

    /// A wallet whose descriptors are not found is named.
    @Test func aWalletWithoutDescriptorsIsNamed() throws {
        try StoreSample.fill(store)
        try store.write { try $0.execute(sql: "DELETE FROM wallet_descriptor") }
        let rest = try #require(try JSONSerialization.jsonObject(with: export(store)) as? [String: Any])
        #expect(rest["unreadable"] as? [String] == ["wallet w: it has no descriptors"])
    }

    @Test func nothingIsOverwritten() throws {
        try folder.write("mine", to: "copy")
        symlink("nowhere", folder.path("link"))
        for name in ["copy", "link"] {
            #expect(throws: StoreCopyError.file(WritingError(path: folder.path(name), errorNumber: EEXIST))) {
                try store.backUp(to: folder.path(name))
            }
        }
        #expect(throws: StoreCopyError.file(WritingError(path: folder.path("no/x"), errorNumber: ENOENT))) {
            try store.backUp(to: folder.path("no/x"))
        }
        #expect(try String(contentsOfFile: folder.path("copy"), encoding: .utf8) == "mine")
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.path)) == ["copy", "data", "link"])
    }

    /// While others write, a copy is one moment of the store.
    @Test func aCopyIsOfOneMoment() async throws {
        let sample = try StoreSample.psbt()
        let other = try SQLiteStore.open(folder: folder.path("data"), clock: StoreBench.clock)
        let writing = Task.detached {
            try await BlockingThread.run {
                // The card and the transaction of one number belong together: the card comes last.
                for number in 1...60 {
                    _ = try other.merge(StoreSample.variant(UInt32(number), of: sample), at: 1)
                    try other.save(StoreSample.card(UInt8(number)))
                }
            }
        }
        for number in 0..<8 {
            mkdir(folder.path("\(number)"), 0o700)
            try store.backUp(to: folder.path("\(number)/store.sqlite"))
            let copy = try SQLiteStore.open(folder: folder.path("\(number)"), clock: StoreBench.clock)
            let (cards, transactions) = (try copy.cards().count, try copy.transactionCount())
            #expect((0...1).contains(transactions - cards))
            // So that the copies are of several moments.
            usleep(10_000)
        }
        try await writing.value
    }

    @Test func theExportHoldsEverything() throws {
        try StoreSample.fill(store)
        let psbt = try #require(try store.transaction(StoreSample.psbt(inputs: 2).unsignedTransaction.id)).psbt
        let signer = try SampleWallet(seed: 1).fingerprint
        let ident = try StoreSample.ident(1).text
        let key = try StoreSample.card(1).publicKey
        let base64 = String(decoding: psbt.encoded(as: .base64), as: UTF8.self)
        let descriptors = try StoreSample.descriptors().map { "\"\($0)\"" }.joined(separator: ",")
        let expected = """
            {"format":"tapkit-store","version":1,"exported":9,
            "cards":[
            {"card_pubkey":"\(key)","fingerprint":"01020304","ident":"\(ident)","is_testnet":true,"last_seen":1,"product":"tapsigner"}],
            "accounts":[
            {"card":"\(ident)","path":"m/84h/1h/0h","proven":8,"xpub":"\(try StoreSample.account(1).key.text)"}],
            "transactions":[
            {"amount_sat":199000,"created":2,"fee_sat":1000,"id":"\(psbt.unsignedTransaction.id)","missing":1,"network":"test","note":"n","psbt":"\(base64)","signed_by":["\(signer)"],"state":"partial","updated":3,"wallet":"w"}],
            "flows":[
            {"card":"\(ident)","created":4,"kind":"backup","state":{"file":"f"},"updated":4}],
            "backups":[
            {"card":"\(ident)","ciphertext":"\(String(repeating: "07", count: 124))","count":1,"created":5}],
            "wallets":[
            {"created":6,"descriptors":[\(descriptors)],"name":"w","network":"test"}],
            "labels":[
            {"label":"l","origin":"o","ref":"ab","spendable":true,"type":"tx"}]}

            """
        #expect(String(decoding: try export(store), as: UTF8.self) == expected)
        #expect(try JSONSerialization.jsonObject(with: export(store)) is [String: Any])
    }

    @Test func anEmptyStoreIsExportedToo() throws {
        let object = try #require(try JSONSerialization.jsonObject(with: export(store)) as? [String: Any])
        for name in ["cards", "accounts", "transactions", "flows", "backups", "wallets", "labels"] {
            #expect((object[name] as? [Any])?.isEmpty == true)
        }
    }

    @Test func whatTheFileDoesNotTakeIsSaid() throws {
        let fault = WritingError(path: "x", errorNumber: ENOSPC)
        #expect(throws: StoreCopyError.file(fault)) {
            try StoreExport(store, at: 1).write { _ throws(WritingError) in throw fault }
        }
    }

    /// A file that was begun and not finished leaves nothing.
    @Test func aNewFileIsThereWholeOrNot() throws {
        let path = folder.path("new")
        do {
            let file = try NewFile(at: path)
            try file.append([1, 2])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["data"])
        let (one, two) = (try NewFile(at: path), try NewFile(at: path))
        try one.append([1])
        try one.append([2])
        try two.append([3])
        try one.place()
        #expect(throws: WritingError(path: path, errorNumber: EEXIST)) { try two.place() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2]))
    }
}

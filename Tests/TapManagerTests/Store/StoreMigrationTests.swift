import Bitcoin
import Foundation
import GRDB
import TestSupport
import Testing

@testable import TapManager

/// A store of an earlier release is taken over with everything in it.
@Suite struct StoreMigrationTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        #expect(mkdir(folder.path("data"), 0o700) == 0)
    }

    /// Makes the store of the first release, with these PSBTs.
    private func makeFirst(_ psbts: [PSBT]) throws {
        let queue = try DatabaseQueue(path: folder.path("data/store.sqlite"))
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1", foreignKeyChecks: .immediate) { database in
            try Migration001.run(database)
            try database.execute(sql: "PRAGMA application_id = \(StoreSchema.applicationID)")
            try database.execute(sql: "PRAGMA user_version = 1")
        }
        try migrator.migrate(queue)
        try queue.write { database in
            try database.execute(
                sql:
                    "INSERT INTO label (type, reference, origin, label, is_spendable) VALUES ('tx', 'ab', '', 'l', NULL)"
            )
            for (place, psbt) in psbts.enumerated() {
                try database.execute(
                    sql: """
                        INSERT INTO psbt (place, id, note, signed_by, missing, is_understood, input_count, created, updated)
                        VALUES (?, ?, 'n', '', ?, 1, ?, 5, 5)
                        """,
                    arguments: [place, psbt.unsignedTransaction.id.stored, psbt.inputs.count, psbt.inputs.count])
                try database.execute(
                    sql: "INSERT INTO psbt_content (place, bytes) VALUES (?, ?)",
                    arguments: [place, Data(psbt.serialized())])
            }
            // What cannot be read keeps nothing else from being taken over.
            try database.execute(
                sql: """
                    INSERT INTO psbt (place, id, note, signed_by, missing, is_understood, input_count, created, updated)
                    VALUES (99, zeroblob(32), '', '', 0, 1, 0, 1, 1)
                    """)
            try database.execute(sql: "INSERT INTO psbt_content (place, bytes) VALUES (99, x'00')")
        }
        try queue.close()
        #expect(chmod(folder.path("data/store.sqlite"), 0o600) == 0)
    }

    /// A card that an earlier tapkit remembered keeps its fingerprint; its version and its accounts are not known yet.
    @Test func cardsAreTakenOver() throws {
        try makeFirst([])
        let card = try StoreSample.card(1, fingerprint: Fingerprint([1, 2, 3, 4]), lastSeen: 5)
        let queue = try DatabaseQueue(path: folder.path("data/store.sqlite"))
        try queue.write { database in
            try database.execute(
                sql: "INSERT INTO card VALUES (?, ?, 'tapsigner', 1, ?, 5)",
                arguments: [card.ident.text, Data(card.publicKey.bytes), Data([1, 2, 3, 4])])
        }
        try queue.close()
        let store = try SQLiteStore.open(folder: folder.path("data"), clock: StoreBench.clock)
        #expect(try store.card(card.ident) == card && card.version == nil)
        #expect(try store.card(card.ident)?.name == nil)
        #expect(try store.name(card.ident, "Blue"))
        #expect(try store.card(card.ident)?.name == "Blue")
        let account = try StoreSample.account(1)
        #expect(try store.provenAccount(of: account.cardKey, at: account.path) == nil)
        try store.save(account)
        #expect(try store.provenAccount(of: account.cardKey, at: account.path) == account)
    }

    /// An earlier answer does not say whether the server looked for transactions that wait for a block: one without
    /// histories may not have.
    @Test(arguments: [(true, 0, true), (false, 0, false), (false, 1, true)])
    func answersAreTakenOver(_ hasHistory: Bool, _ waiting: Int, _ knows: Bool) throws {
        let queue = try DatabaseQueue(path: folder.path("data/store.sqlite"))
        try StoreSchema.migrator.migrate(queue, upTo: "8")
        try queue.write { database in
            try database.execute(sql: "INSERT INTO wallet (name, network, created) VALUES ('w', 'regtest', 5)")
            try database.execute(
                sql: """
                    INSERT INTO wallet_sync (wallet, network, server, height, time, has_history, spends_proven)
                    VALUES ('w', 'regtest', 's', 7, 8, ?, 1)
                    """, arguments: [hasHistory])
            guard waiting > 0 else { return }
            try database.execute(
                sql: """
                    INSERT INTO wallet_coin (wallet, coin, value, script, descriptor, branch, number, is_coinbase)
                    VALUES ('w', zeroblob(36), 9, x'51', 0, 0, 0, 0)
                    """)
        }
        try queue.close()
        #expect(chmod(folder.path("data/store.sqlite"), 0o600) == 0)
        let store = try SQLiteStore.open(folder: folder.path("data"), clock: StoreBench.clock)
        let chain = try #require(try store.chain(of: "w"))
        #expect(chain.knowsUnconfirmed == knows && chain.hasHistory == hasHistory && chain.coins.count == waiting)
    }

    @Test func coinsAreTakenOver() throws {
        let psbts = [try StoreSample.psbt(payment: 1_000, inputs: 2), try StoreSample.psbt(payment: 2_000, inputs: 3)]
        try makeFirst(psbts)
        let store = try SQLiteStore.open(folder: folder.path("data"), clock: StoreBench.clock)
        #expect(try store.labels() == [StoredLabel(type: "tx", reference: "ab", label: "l")])
        let coins = Set(psbts.flatMap { $0.unsignedTransaction.inputs.map(\.outpoint) })
        #expect(try Set(store.takenCoins().keys) == coins)
        for psbt in psbts {
            let stored = try #require(try store.transaction(psbt.unsignedTransaction.id))
            #expect(stored.sent == nil && stored.note == "n" && stored.psbt.inputs.count == psbt.inputs.count)
            #expect(stored.standing == nil && stored.summary.state == .unsigned)
        }
        let confirmed = ChainStanding(height: 7, tip: 9)
        try store.note([psbts[0].unsignedTransaction.id: confirmed], at: 4)
        #expect(try store.transaction(psbts[0].unsignedTransaction.id)?.standing == confirmed)
        #expect(throws: StoreError.self) {
            try store.create(StoredTransaction(psbt: psbts[0], created: 1, updated: 1), replacing: nil)
        }
    }
}

import Bitcoin
import Foundation
import GRDB
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// Several processes, and processes that are killed.
@Suite struct StoreProcessTests {
    private static func open(_ path: String) throws -> SQLiteStore {
        try SQLiteStore.open(folder: path, clock: StoreBench.clock)
    }

    /// Killed at any moment, from the making of the store on: what was acknowledged is there, and the file is whole.
    @Test func aKilledProcessLosesNothing() async throws {
        var random = SeededGenerator()
        let folder = try TemporaryFolder()
        let (path, log) = (folder.path("data"), folder.path("log"))
        var acknowledged: [Int] = []
        for round in 0..<12 {
            let microseconds = UInt32.random(in: 0...(round < 4 ? 30_000 : 300_000), using: &random)
            try Data().write(to: URL(fileURLWithPath: log))
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    path = path as String, log = log as String, round = round as Int,
                    microseconds = microseconds as UInt32
                ] in
                let sample = try StoreSample.multisig()
                let answers = Glibc.open(log, O_WRONLY | O_APPEND)
                let death = Thread {
                    usleep(microseconds)
                    kill(getpid(), SIGKILL)
                }
                // In the first rounds also while the store is made; then, however busy the machine is, between writes.
                if round < 4 { death.start() }
                let store = try StoreProcessTests.open(path)
                for number in 0..<100_000 {
                    try Work(round: round, number: number, sample).perform(on: store)
                    _ = Glibc.write(answers, [1], 1)
                    if round >= 4, number == 0 { death.start() }
                }
            }
            acknowledged.append(try Data(contentsOf: URL(fileURLWithPath: log)).count)
            guard access(path + "/store.sqlite", F_OK) == 0 else { continue }
            let store = try Self.open(path)
            #expect(try store.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
            let sample = try StoreSample.multisig()
            for (round, count) in acknowledged.enumerated() {
                for number in 0..<count {
                    #expect(try Work(round: round, number: number, sample).isDone(in: store), "\(round) \(number)")
                }
            }
        }
        print("acknowledged writes in each round: \(acknowledged)")
        #expect(acknowledged.contains { $0 > 0 })
        #expect(try StoreCheck(folder: path)?.problems == [])
    }

    /// One write of a process, and whether it is there.
    private struct Work {
        let round: Int
        let number: Int
        let psbt: PSBT
        let signature: StoredSignature
        let ident: CardIdent

        init(round: Int, number: Int, _ sample: (psbt: PSBT, cosigners: [SampleWallet])) throws {
            (self.round, self.number) = (round, number)
            psbt = try StoreSample.variant(UInt32(round * 100_000 + number / 3), of: sample.psbt)
            signature = try StoreSample.signature(psbt, input: 0, by: sample.cosigners[0])
            ident = CardIdent(of: try PrivateKey(SecretBytes(SHA256.hash("card \(round) \(number)".utf8))).publicKey)
        }

        func perform(on store: SQLiteStore) throws {
            switch number % 3 {
            case 0: _ = try store.merge(psbt, at: 1)
            case 1: try store.add(signature, to: psbt.unsignedTransaction.id, at: 2)
            default: try store.save(StoredBackup(card: ident, ciphertext: EncryptedBackup([1]), count: 1, created: 1))
            }
        }

        func isDone(in store: SQLiteStore) throws -> Bool {
            switch number % 3 {
            case 0: try store.transaction(psbt.unsignedTransaction.id) != nil
            case 1: try store.transaction(psbt.unsignedTransaction.id)?.psbt.isSame(as: psbt.adding(signature)) == true
            default:
                try store.read {
                    try Bool.fetchOne($0, sql: "SELECT count(*) FROM backup WHERE card = ?", arguments: [ident.text])
                } == true
            }
        }
    }

    /// Two processes make the store together, and write 200 transactions each.
    @Test func twoProcessesWriteAtOnce() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("deep/data")
        async let one: Void = run(200, from: 0, to: path)
        async let two: Void = run(200, from: 1_000, to: path)
        _ = await (one, two)
        let store = try Self.open(path)
        #expect(try store.transactionCount() == 400)
        #expect(try StoreCheck(folder: path)?.problems == [])
        let sample = try StoreSample.psbt()
        for number in Array(0..<200) + Array(1_000..<1_200) {
            let psbt = try StoreSample.variant(UInt32(number), of: sample)
            #expect(try store.transaction(psbt.unsignedTransaction.id)?.psbt.serialized() == psbt.serialized())
        }
    }

    private func run(_ count: Int, from first: Int, to path: String) async {
        await #expect(processExitsWith: .success) {
            [path = path as String, first = first as Int, count = count as Int] in
            let sample = try StoreSample.psbt()
            let store = try StoreProcessTests.open(path)
            for number in first..<first + count {
                _ = try store.merge(StoreSample.variant(UInt32(number), of: sample), at: 1)
            }
        }
    }

    /// Many who make it, use it and leave it at the same moment.
    @Test func manyOpenAtOnce() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("data")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...16 {
                group.addTask {
                    try await BlockingThread.run {
                        try Self.open(path).save(StoreSample.card(UInt8(number)))
                        #expect(try Self.open(path).card(StoreSample.ident(UInt8(number))) != nil)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try Self.open(path).cards().count == 16)
    }
}

import Bitcoin
import Glibc
@_spi(Figures) import TapManager

/// What the local store costs when it has many transactions; each write is synced to the folder's disk.
struct StoreFigures {
    private let folder: String
    private let count: Int
    private static let rounds = 200
    private static let openings = 20

    /// - Parameters:
    ///   - folder: a new folder for the store.
    ///   - count: how many transactions it starts with.
    init(folder: String, count: Int) {
        self.folder = folder
        self.count = count
    }

    private func open() throws -> SQLiteStore {
        try SQLiteStore.open(folder: folder) { UnixTime(seconds: Int64(time(nil))) }
    }

    func run() throws {
        guard access(folder, F_OK) != 0 else {
            print("\(folder) already exists; give a new folder.")
            exit(64)
        }
        let wallet = try BenchmarkWallet(master: BenchmarkWallet.master)
        let small = try wallet.psbt(kind: .p2wpkh, inputCount: 2)
        let large = try wallet.psbt(kind: .p2wpkh, inputCount: 1_000)
        try fill(small)
        print("\(count) transactions of \(small.serialized().count) bytes each")
        // Kept beyond the measurement, so that closing is not included.
        var opened: [SQLiteStore] = []
        try figure("opening", Self.openings, before: { opened.removeAll() }) { _ in opened.append(try open()) }
        opened.removeAll()
        try figure("opening, the newest transaction, and closing", Self.openings) { _ in
            _ = try open().transactions(limit: 1, offset: 0)
        }
        let store = try open()
        try figure("the newest 50", Self.rounds) { _ in _ = try store.transactions(limit: 50, offset: 0) }
        try figure("50 from the middle", Self.rounds) { _ in
            _ = try store.transactions(limit: 50, offset: count / 2)
        }
        try figure("an id from its first 8 digits", Self.rounds) { number in
            let id = try variant(UInt32(number), of: small).unsignedTransaction.id
            _ = try store.transactionIDs(startingWith: String(id.description.prefix(8)))
        }
        try figure("insert, synced", Self.rounds) { number in
            _ = try store.merge(variant(UInt32(count + number), of: small), at: UnixTime(seconds: 2_000_000_000))
        }
        _ = try store.merge(large, at: UnixTime(seconds: 2_000_000_001))
        print("a transaction of 1000 inputs, \(large.serialized().count) bytes:")
        let signatures = try signatures(for: large)
        try figure("one more signature, synced", Self.rounds) { number in
            try store.add(signatures[number], to: large.unsignedTransaction.id, at: UnixTime(seconds: 2_000_000_002))
        }
        try figure("read, with \(Self.rounds) signatures beside it", 20) { _ in
            _ = try store.transaction(large.unsignedTransaction.id)
        }
        try figure("the newest 50", Self.rounds) { _ in _ = try store.transactions(limit: 50, offset: 0) }
    }

    private func fill(_ psbt: PSBT) throws {
        let store = try open()
        let batch = 10_000
        for first in stride(from: 0, to: count, by: batch) {
            try store.insert(
                (first..<min(count, first + batch)).map { number in
                    let time = UnixTime(seconds: Int64(1_000_000_000 + number))
                    return StoredTransaction(
                        psbt: try variant(UInt32(number), of: psbt), network: .test, created: time, updated: time)
                })
        }
    }

    /// The same inputs and outputs in a different transaction.
    private func variant(_ number: UInt32, of psbt: PSBT) throws -> PSBT {
        let transaction = psbt.unsignedTransaction
        var variant = try PSBT(
            unsignedTransaction: Transaction(
                version: transaction.version, inputs: transaction.inputs, outputs: transaction.outputs,
                lockTime: number))
        for (index, input) in psbt.inputs.enumerated() { variant[input: index] = input }
        for (index, output) in psbt.outputs.enumerated() { variant[output: index] = output }
        return variant
    }

    private func signatures(for psbt: PSBT) throws -> [StoredSignature] {
        let master = try BenchmarkWallet.master
        return try (0..<Self.rounds).map { input in
            guard let derivation = psbt.inputs[input].derivations.first else { exit(70) }
            let key = try master.descendant(derivation.path).privateKey
            let signature = key.signGrindingLowR(digest: Digest(hashing: [1]))
            return StoredSignature(
                inputIndex: input, signature: PartialSignature(signature, by: key.publicKey),
                signer: derivation.fingerprint)
        }
    }

    /// Prints the median and the longest time.
    /// - Parameter before: what precedes each round and is not counted.
    private func figure(
        _ name: String, _ rounds: Int, before: () -> Void = {}, _ work: (Int) throws -> Void
    ) throws {
        var times: [Duration] = []
        for number in 0..<rounds {
            before()
            let start = ContinuousClock.now
            try work(number)
            times.append(ContinuousClock.now - start)
        }
        times.sort()
        print("  \(Self.text(times[times.count / 2]))  \(name) (longest of \(rounds): \(Self.text(times[rounds - 1])))")
    }

    private static func text(_ duration: Duration) -> String {
        let microseconds =
            duration.components.attoseconds / 1_000_000_000_000 + duration.components.seconds * 1_000_000
        return "\(microseconds / 1_000).\(String(microseconds % 1_000 + 1_000).dropFirst()) ms"
    }
}

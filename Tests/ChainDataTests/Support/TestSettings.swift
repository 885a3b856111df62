import Bitcoin
import Synchronization

@testable import ChainData

/// Waits that were asked for, and not waited.
final class NotedWaits: Sendable {
    private let durations = Mutex<[Duration]>([])

    var all: [Duration] { durations.withLock { $0 } }

    func note(_ duration: Duration) { durations.withLock { $0.append(duration) } }
}

extension ChainSettings {
    /// Settings for servers that behave badly: no real wait between attempts, small bounds.
    static func forTests(_ waits: NotedWaits = NotedWaits(), retries: Int = 3) -> ChainSettings {
        var settings = ChainSettings()
        settings.retries = retries
        // Beside other tests a thread may wait long for its turn.
        settings.connectTimeLimit = .seconds(60)
        settings.answerTimeLimit = .seconds(600)
        settings.longestAnswer = 200_000
        settings.sleep = { duration in
            waits.note(duration)
            try Task.checkCancellation()
        }
        return settings
    }
}

/// Pins in memory.
final class MemoryPins: CertificatePins {
    private let trusts = Mutex<[String: ServerTrust]>([:])

    var all: [String: ServerTrust] { trusts.withLock { $0 } }

    func trust(in server: String) throws -> ServerTrust? { trusts.withLock { $0[server] } }

    func save(_ trust: ServerTrust, in server: String) throws { trusts.withLock { $0[server] = trust } }
}

/// A transaction with one output, and texts about it.
struct Sample {
    let script: Script
    let transaction: Transaction

    init(_ seed: String = "sample", satoshis: Int64 = 5_000) {
        script = Script([0x00, 0x14] + SHA256.hash(seed.utf8).prefix(20))
        let previous = TransactionID(SHA256.hash("previous \(seed)".utf8)) ?? transaction0
        transaction = Transaction(
            inputs: [TransactionInput(outpoint: Outpoint(transactionID: previous, index: 0))],
            outputs: [TransactionOutput(value: satoshis, scriptPubKey: script)])
    }

    var id: TransactionID { transaction.id }
    var hex: String { Script(transaction.serialized()).description }
}

private let transaction0 = Transaction(inputs: [], outputs: []).id

/// A clock that goes on only when it is told to.
final class TestClock: Sendable {
    private let time = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { time.withLock { $0 } }

    func advance(by duration: Duration) { time.withLock { $0 += duration } }
}

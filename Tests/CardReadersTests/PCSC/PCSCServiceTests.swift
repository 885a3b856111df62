import CardReaders
import Foundation
import SmartCard
import Synchronization
import TestSupport
import Testing

/// The service that comes and goes, in a world of the test's own.
@Suite struct PCSCServiceTests {
    @Test func withoutAServiceTheErrorSaysHowToStartIt() async throws {
        try await BlockingThread.run {
            _ = try PrivatePCSCDaemon()
            let reader = PCSCReader(name: "Virtual PCD 00 00")
            for error in [
                #expect(throws: ReaderError.self) { try PCSCBackend().readers() },
                #expect(throws: ReaderError.self) { try reader.connect() },
                #expect(throws: ReaderError.self) { try reader.state() },
                #expect(throws: ReaderError.self) { try reader.waitForCard(isPresent: true, timeout: nil) },
            ] {
                #expect(error?.code == .noService)
                #expect(error?.hint.contains("pcscd") == true)
            }
        }
    }

    @Test func aServiceThatDiesAndComesBackIsFoundAgain() async throws {
        try await BlockingThread.run {
            let daemon = try PrivatePCSCDaemon()
            try daemon.start()
            let slot = try daemon.slot()
            let bench = PCSCBench(slot)
            try bench.insertCard(ScriptedCard.saying(1))
            let channel = try bench.reader.connect()
            try channel.beginTransaction()
            #expect(try channel.transmit([0, 1, 2, 3]) == [1, 0x90, 0x00])

            daemon.kill()
            for _ in 0..<2 {
                let exchange = #expect(throws: ReaderError.self) { try channel.transmit([0, 1, 2, 3]) }
                #expect(exchange?.code == .readerGone)
                let transaction = #expect(throws: ReaderError.self) { try channel.beginTransaction() }
                #expect(transaction?.code == .readerGone)
            }
            let line = #expect(throws: ReaderError.self) { try channel.reconnect() }
            #expect(line?.code == .noService)

            try daemon.start()
            try bench.insertCard(ScriptedCard.saying(2))
            try channel.reconnect()
            try channel.beginTransaction()
            #expect(try channel.transmit([0, 1, 2, 3]) == [2, 0x90, 0x00])
            channel.endTransaction()
        }
    }

    @Test func aRestartUnderAnOpenChannelIsNoticed() async throws {
        try await BlockingThread.run {
            let daemon = try PrivatePCSCDaemon()
            try daemon.start()
            let bench = PCSCBench(try daemon.slot())
            try bench.insertCard(ScriptedCard.saying(1))
            let channel = try bench.reader.connect()
            daemon.kill()
            try daemon.start()
            try bench.insertCard(ScriptedCard.saying(2))
            let error = #expect(throws: ReaderError.self) { try channel.transmit([0, 1, 2, 3]) }
            #expect(error?.code == .readerGone)
            try channel.reconnect()
            #expect(try channel.transmit([0, 1, 2, 3]) == [2, 0x90, 0x00])
        }
    }

    @Test func waitingEndsWithTheService() async throws {
        try await BlockingThread.run {
            let daemon = try PrivatePCSCDaemon()
            try daemon.start()
            let bench = PCSCBench(try daemon.slot())
            let identifier = try #require(daemon.identifier)
            Thread.detachNewThread {
                usleep(500_000)
                kill(identifier, SIGKILL)
            }
            let error = #expect(throws: ReaderError.self) {
                try bench.reader.waitForCard(isPresent: true, timeout: .seconds(20))
            }
            #expect(error?.code == .readerGone)
        }
    }

    @Test func watchingOutlivesTheService() async throws {
        try await BlockingThread.run {
            let daemon = try PrivatePCSCDaemon()
            let log = EventLog(PCSCBackend().events())
            try daemon.start()
            let slot = try daemon.slot()
            let spec = "pcsc:\(slot.readerName)"
            #expect(log.next(of: spec) == .readerAttached(spec: spec))
            let bench = PCSCBench(slot)
            try bench.insertCard(ScriptedCard.agree)
            #expect(log.next(of: spec) == .cardInserted(spec: spec))
            daemon.kill()
            #expect(log.next(of: spec) == .cardRemoved(spec: spec))
            #expect(log.next(of: spec) == .readerDetached(spec: spec))
            try daemon.start()
            #expect(log.next(of: spec) == .readerAttached(spec: spec))
        }
    }
}

/// What a watch tells, for a test that blocks.
private final class EventLog: Sendable {
    private let events = Mutex<[ReaderEvent]>([])
    private let listener = Mutex<Task<Void, Never>?>(nil)

    /// Listens until the log is gone.
    init(_ stream: AsyncStream<ReaderEvent>) {
        let task = Task { [weak self] in
            for await event in stream { self?.events.withLock { $0.append(event) } }
        }
        listener.withLock { $0 = task }
    }

    deinit { listener.withLock { $0?.cancel() } }

    /// Takes the next event of a reader.
    /// - Returns: `nil` when none comes in a time that is long even when all the other tests are busy.
    func next(of spec: String, within limit: Duration = .seconds(120)) -> ReaderEvent? {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            let event = events.withLock { events in
                events.firstIndex { $0.spec == spec }.map { events.remove(at: $0) }
            }
            if let event { return event }
            usleep(10_000)
        }
        return nil
    }
}

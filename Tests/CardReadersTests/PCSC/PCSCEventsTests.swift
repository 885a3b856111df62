import CardReaders
import SmartCard
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PCSCEventsTests {
    @Test func whatHappensIsTold() async throws {
        try await VirtualReaderSlot.withLease { slot in
            let spec = "pcsc:\(slot.readerName)"
            let bench = PCSCBench(slot)
            var events = PCSCBackend().events().filter { $0.spec == spec }.makeAsyncIterator()
            #expect(await events.next() == .readerAttached(spec: spec))
            for _ in 0..<2 {
                try await BlockingThread.run { try bench.insertCard(ScriptedCard.agree) }
                #expect(await events.next() == .cardInserted(spec: spec))
                try await BlockingThread.run { try bench.removeCard() }
                #expect(await events.next() == .cardRemoved(spec: spec))
            }
        }
    }

    @Test func aCardThatLiesThereIsTold() async throws {
        try await VirtualReaderSlot.withLease { slot in
            let spec = "pcsc:\(slot.readerName)"
            let bench = PCSCBench(slot)
            try await BlockingThread.run { try bench.insertCard(ScriptedCard.agree) }
            var events = PCSCBackend().events().filter { $0.spec == spec }.makeAsyncIterator()
            #expect(await events.next() == .readerAttached(spec: spec))
            #expect(await events.next() == .cardInserted(spec: spec))
        }
    }

    @Test func watchingEndsWithItsTask() async throws {
        try await PCSCDaemon.ensureRunning()
        let hasSeenReaders = Flag()
        let watcher = Task {
            for await _ in PCSCBackend().events() { hasSeenReaders.set() }
        }
        while !hasSeenReaders.isSet { try await Task.sleep(for: .milliseconds(10)) }
        watcher.cancel()
        await watcher.value
    }
}

extension ReaderEvent {
    /// The reader it happened at.
    var spec: String {
        switch self {
        case .readerAttached(let spec), .readerDetached(let spec), .cardInserted(let spec), .cardRemoved(let spec):
            spec
        }
    }
}

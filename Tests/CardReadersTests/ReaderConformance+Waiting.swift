import CardReaders
import Foundation
import SmartCard
import TestSupport
import Testing

extension ReaderConformance {
    @Test(arguments: ReaderBenchKind.allCases)
    func whatIsSoAlreadyIsNotWaitedFor(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            try bench.reader.waitForCard(isPresent: false, timeout: .zero)
            try bench.insertCard(ScriptedCard.agree)
            try bench.reader.waitForCard(isPresent: true, timeout: .zero)
        }
    }

    @Test(arguments: ReaderBenchKind.allCases, [Duration.zero, .milliseconds(300), .milliseconds(1300)])
    func aWaitEndsInTime(_ kind: ReaderBenchKind, _ timeout: Duration) async throws {
        try await kind.withBench { bench in
            let start = ContinuousClock.now
            let error = #expect(throws: ReaderError.self) {
                try bench.reader.waitForCard(isPresent: true, timeout: timeout)
            }
            let taken = ContinuousClock.now - start
            #expect(error?.code == .timedOut, "after \(taken): \(String(describing: error))")
            #expect(taken >= timeout, "\(String(describing: error))")
            // Not before it, and not never: how soon after it is the machine's, which may have much else to do.
            #expect(taken < timeout + .seconds(120))
        }
    }

    @Test(arguments: ReaderBenchKind.allCases)
    func comingAndGoingAreSeen(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            try bench.after(.milliseconds(200), .insert)
            try bench.reader.waitForCard(isPresent: true, timeout: nil)
            #expect(try bench.reader.connect().transmit([0, 1, 2, 3]) == [0x90, 0x00])
            try bench.after(.milliseconds(200), .remove)
            try bench.reader.waitForCard(isPresent: false, timeout: .seconds(10))
        }
    }

    @Test(arguments: ReaderBenchKind.allCases)
    func aWaitIsEndedFromAnotherThread(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            // Without a wait there is nothing to end: the next one is not affected.
            bench.reader.cancelWaiting()
            var latencies: [Duration] = []
            for delay in [Duration.zero, .milliseconds(1), .milliseconds(50), .milliseconds(1500)] {
                let isDone = Flag()
                let start = ContinuousClock.now
                Thread.detachNewThread {
                    Thread.sleep(forTimeInterval: delay / .seconds(1))
                    // Until it is over: a call before the wait begins is of no effect.
                    while !isDone.isSet {
                        bench.reader.cancelWaiting()
                        Thread.sleep(forTimeInterval: 0.1)
                    }
                }
                let error = #expect(throws: ReaderError.self) {
                    try bench.reader.waitForCard(isPresent: true, timeout: .seconds(30))
                }
                isDone.set()
                #expect(error?.kind == .cancelled)
                latencies.append(ContinuousClock.now - start - delay)
            }
            #expect(latencies.allSatisfy { $0 < .seconds(20) })
            #expect(try #require(latencies.min()) < .seconds(1))
            // The reader is as before.
            try bench.insertCard(ScriptedCard.agree)
        }
    }

    @Test(arguments: ReaderBenchKind.allCases)
    func aChannelWorksWhileAnotherThreadWaits(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            try bench.insertCard(ScriptedCard.agree)
            let channel = try bench.reader.connect()
            let isCancelled = Flag()
            Thread.detachNewThread {
                do throws(ReaderError) {
                    try bench.reader.waitForCard(isPresent: false, timeout: .seconds(30))
                } catch  where error.kind == .cancelled {
                    isCancelled.set()
                } catch {}
            }
            for _ in 0..<50 { #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00]) }
            for _ in 0..<200 where !isCancelled.isSet {
                bench.reader.cancelWaiting()
                usleep(50_000)
            }
            #expect(isCancelled.isSet)
        }
    }
}

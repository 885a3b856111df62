import FlowSupport
import SmartCard
import Synchronization
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// What a flow waits for, says, and does when what it works with goes away or is something else.
@Suite struct CardGateReturnTests {
    /// Signs three inputs; at the seventh exchange the card is lifted, and the reader says this.
    private func sign(
        _ error: ReaderError, patience: CardGate.Patience?, return cardReturn: CardReturn = .whenAwaited
    ) async throws -> (outcome: SignFlow.Outcome, events: [FlowEvent], ident: CardIdent) {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2wpkh, .p2wpkh, .p2wpkh]
        recipe.payment = 200_000
        let psbt = try bench.wallet().psbt(recipe)
        bench.watch.disturbance = FunctionInterceptor(onCommand: { exchange in
            guard exchange.number == 7 else { return .pass }
            bench.reader.pull(cardReturn)
            return .fail(error)
        })
        let log = Mutex<[FlowEvent]>([])
        let outcome = try await bench.sign(psbt, patience: patience) { event in log.withLock { $0.append(event) } }
        return (outcome, log.withLock { $0 }, bench.ident)
    }

    @Test(arguments: [ReaderError.Code.readerGone, .noService, .noReader])
    func aReaderThatIsLostIsWaitedFor(code: ReaderError.Code) async throws {
        let run = try await sign(ReaderError(code, "gone"), patience: .unlimited)
        #expect(run.outcome.interruption == nil && run.outcome.added == 3)
        #expect(run.events.contains(.waitingForReader(run.ident)))
        #expect(run.events.contains(.cardReturned))
    }

    @Test func aCardThatLiesBadlyIsWaitedOff() async throws {
        let run = try await sign(ReaderError(.cardMute, "mute"), patience: .unlimited)
        #expect(run.outcome.interruption == nil && run.outcome.added == 3)
        #expect(run.events.contains(.unreadableCard(expected: run.ident)))
    }

    @Test(arguments: [ReaderError.Code.readerGone, .cardMute, .cardRemoved])
    func withoutPatienceTheErrorIsTheFlows(code: ReaderError.Code) async throws {
        let run = try await sign(ReaderError(code, "lost"), patience: nil)
        #expect(run.outcome.interruption == .card(.reader(ReaderError(code, "lost"))))
        #expect(!run.events.contains(.cardReturned))
    }

    @Test func whenTimeRunsOutItIsSaidWhatDidNotCome() async throws {
        let run = try await sign(
            ReaderError(.cardRemoved, "lost"), patience: .limited(.milliseconds(200)), return: .byHand)
        guard case .card(.reader(let error)) = run.outcome.interruption else {
            Issue.record("\(String(describing: run.outcome.interruption))")
            return
        }
        #expect(error.code == .timedOut)
        #expect(error.message == "The card did not come back in time.")
        #expect(!error.hint.isEmpty)
        #expect(run.outcome.added == 1)
    }
}

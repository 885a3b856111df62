import FlowSupport
import SmartCard
import Synchronization
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// What a flow waits for, says, and does when what it works with goes away or is something else.
@Suite struct CardDriverReturnTests {
    /// Signs three inputs; at the seventh exchange the card is lifted, and the reader says this.
    /// - Parameters:
    ///   - waits: how many of the waits for a card find no service.
    ///   - denials: how many of those after them may not use the reader.
    private func sign(
        _ error: ReaderError, patience: Patience?, return cardReturn: CardReturn = .whenAwaited,
        refusing waits: Int = 0, denying denials: Int = 0, events: @escaping FlowEvents = { _ in }
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
            bench.unsteady.refuse(waits: waits)
            bench.unsteady.deny(waits: denials)
            return .fail(error)
        })
        let log = Mutex<[FlowEvent]>([])
        let outcome = try await bench.sign(psbt, patience: patience) { event in
            log.withLock { $0.append(event) }
            events(event)
        }
        return (outcome, log.withLock { $0 }, bench.ident)
    }

    @Test(arguments: [ReaderError.Kind.readerGone, .noService, .noReader])
    func aReaderThatIsLostIsWaitedFor(kind: ReaderError.Kind) async throws {
        let run = try await sign(ReaderError(kind, "gone"), patience: .unlimited)
        #expect(run.outcome.interruption == nil && run.outcome.added == 3)
        #expect(run.events.contains(.waitingForReader(run.ident)))
        #expect(run.events.contains(.cardReturned))
    }

    @Test func aCardThatLiesBadlyIsWaitedOff() async throws {
        let run = try await sign(ReaderError(.cardMute, "mute"), patience: .unlimited)
        #expect(run.outcome.interruption == nil && run.outcome.added == 3)
        #expect(run.events.contains(.unreadableCard(expected: run.ident)))
    }

    @Test(arguments: [ReaderError.Kind.readerGone, .cardMute, .cardRemoved])
    func withoutPatienceTheErrorIsTheFlows(kind: ReaderError.Kind) async throws {
        let run = try await sign(ReaderError(kind, "lost"), patience: nil)
        #expect(run.outcome.interruption == .card(.reader(ReaderError(kind, "lost"))))
        #expect(!run.events.contains(.cardReturned))
    }

    @Test func whenTimeRunsOutItIsSaidWhatDidNotCome() async throws {
        let run = try await sign(
            ReaderError(.cardRemoved, "lost"), patience: .limited(.milliseconds(200)), return: .byHand)
        expectTimedOut(run.outcome, "The card did not return in time.")
    }

    /// Expects that one input was signed, and that the wait for the rest ended with these words.
    private func expectTimedOut(
        _ outcome: SignFlow.Outcome, _ message: String, at location: SourceLocation = #_sourceLocation
    ) {
        guard case .card(.reader(let error)) = outcome.interruption else {
            Issue.record("\(String(describing: outcome.interruption))", sourceLocation: location)
            return
        }
        #expect(error.code == .timedOut, sourceLocation: location)
        #expect(error.message == message, sourceLocation: location)
        #expect(!error.remedy.isEmpty, sourceLocation: location)
        #expect(outcome.added == 1, sourceLocation: location)
    }

    /// The reader, or its service, is away while the card is waited for: it is looked for until it is back.
    @Test(arguments: [ReaderError.Kind.readerGone, .cardRemoved])
    func aReaderThatComesBackLaterIsWaitedFor(kind: ReaderError.Kind) async throws {
        let run = try await sign(ReaderError(kind, "gone"), patience: .unlimited, refusing: 2)
        #expect(run.outcome.interruption == nil && run.outcome.added == 3)
        #expect(run.events.count { $0 == .cardReturned } == 1)
    }

    /// A reader that is plugged in again may be used only when udev has given it to its group.
    @Test func whoMayNotUseTheReaderYetWaits() async throws {
        let run = try await sign(ReaderError(.readerGone, "gone"), patience: .unlimited, refusing: 1, denying: 2)
        #expect(run.outcome.interruption == nil && run.outcome.added == 3)
        // Not longer than there is patience, either.
        let late = try await sign(
            ReaderError(.readerGone, "gone"), patience: .limited(.milliseconds(100)), refusing: 0, denying: 10)
        #expect(late.outcome.added == 1)
        guard case .card(.reader(let error)) = late.outcome.interruption else {
            Issue.record("\(String(describing: late.outcome.interruption))")
            return
        }
        #expect(error.kind == .permissionDenied)
    }

    /// It is looked for now and then, and no longer than there is patience; and it is the reader that did not come back.
    @Test(arguments: [ReaderError.Kind.readerGone, .cardRemoved])
    func aReaderThatDoesNotComeBackIsNotWaitedForForEver(kind: ReaderError.Kind) async throws {
        let run = try await sign(ReaderError(kind, "gone"), patience: .limited(.milliseconds(100)), refusing: 10)
        expectTimedOut(run.outcome, "The reader did not return. The service is being restarted.")
        #expect(!run.events.contains(.cardReturned))
    }

    @Test(arguments: [0, 10]) func whoBreaksTheWaitOffHasInterrupted(waits: Int) async throws {
        let run = try await sign(
            ReaderError(.readerGone, "gone"), patience: .unlimited, return: .byHand, refusing: waits
        ) { event in
            switch event {
            case .waitingForReader, .waitingForCard: withUnsafeCurrentTask { $0?.cancel() }
            default: break
            }
        }
        #expect(run.outcome.interruption == .interrupted)
        #expect(run.outcome.added == 1)
    }

    /// Another card lies there, and while it is waited off the reader is away. By then the right one may lie there.
    @Test func theRightCardLaidDownWhileTheReaderIsAwayIsTaken() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let other = try await FlowBench.ready(using: &generator)
        bench.watch.disturbance = FunctionInterceptor(onCommand: { exchange in
            exchange.number == 3 ? .swap(other.simulated) : .pass
        })
        let account = try await bench.run(patience: .limited(.seconds(3))) { event in
            guard case .wrongCard = event else { return }
            bench.reader.insert(bench.simulated)
            bench.unsteady.refuse(waits: 1)
        } _: {
            try await AccountFlow(driver: $0, cvc: CVC(FlowBench.cvc)).keys().account
        }
        #expect(account.masterFingerprint == (try bench.wallet().fingerprint))
    }

    /// What happens to the answers to `check`, one after the other.
    private enum Fate: Sendable {
        case cutShort, pulled
    }

    /// Proves a card.
    /// - Returns: the proof, or what came in its place; and how often the card was asked.
    private func prove(
        _ fates: [Fate], patience: Patience? = nil
    ) async throws -> (result: Result<CardProof, FlowError>, checks: Int) {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let left = Mutex(fates[...])
        bench.watch.disturbance = FunctionInterceptor(onAnswer: { answer, exchange in
            guard exchange.name == "check" else { return .pass }
            switch left.withLock({ $0.popFirst() }) {
            case .cutShort: return .replace(Array(answer.prefix(answer.count / 2)))
            case .pulled: return .pull(.whenAwaited)
            case nil: return .pass
            }
        })
        let result: Result<CardProof, FlowError>
        do {
            result = .success(try await bench.run(patience: patience) { try await $0.prove() })
        } catch let error as FlowError { result = .failure(error) }
        return (result, bench.reader.exchangeCounts["check", default: 0])
    }

    /// A bit lost on the way is no reason to end. A card whose answers are never whole is.
    @Test func anAnswerCutShortIsAskedForOnceMore() async throws {
        let once = try await prove([.cutShort])
        #expect(try once.result.get().verdict.isAccepted)
        #expect(once.checks == 2)
        for patience in [nil, Patience.limited(.seconds(3))] {
            let twice = try await prove([.cutShort, .cutShort], patience: patience)
            #expect(throws: FlowError.self) { try twice.result.get() }
            guard case .failure(let error) = twice.result else { return }
            #expect(error.isGarbledAnswer)
            #expect(twice.checks == 2)
        }
    }

    /// A card that is lifted slowly: its answer is cut short, then it is gone. Laid back, it may be so once more.
    @Test func aCardThatCameBackIsForgivenAnew() async throws {
        let run = try await prove([.cutShort, .pulled, .cutShort], patience: .limited(.seconds(3)))
        #expect(try run.result.get().verdict.isAccepted)
        #expect(run.checks == 4)
    }

    /// Whatever it was asked next would have to wait until it answers what it was asked before.
    @Test func aReaderThatIsSilentIsNotAskedAgain() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let silence = ReaderError(.timedOut, as: .transportFailed, "The reader has not answered for 30 s.")
        let steps = Mutex(0)
        let error = await #expect(throws: FlowError.self) {
            try await bench.run(patience: .limited(.seconds(3))) { driver in
                try await driver.perform(repeatable: { _ in
                    steps.withLock { $0 += 1 }
                    throw TapError.reader(silence)
                })
            }
        }
        #expect(error?.code == .transportFailed)
        #expect(steps.withLock { $0 } == 1)
    }
}

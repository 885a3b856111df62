import Bitcoin
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// The setup of a card that is ready, run again after an interruption: what is asked then, and whom it believes.
@Suite struct InterruptedSetupTests {
    private static let newCVC = "271828"

    /// What a card that was ready is asked for when its setup is run again after the card was removed, before it moved
    /// to `m` or there.
    @Test(arguments: [true, false], [true, false]) func aReadyCardStaysReadyThoughItsSetupIsInterrupted(
        _ isMoved: Bool, _ isChanged: Bool
    ) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let (home, backups) = (try #require(bench.record.path), bench.record.backups)
        bench.watch.disturbance = FunctionInterceptor(
            onCommand: { !isMoved && $0.name == "derive" ? .pull(.byHand) : .pass },
            onAnswer: { isMoved && $1.name == "derive" ? .pull(.byHand) : .pass })
        let first = ScriptedInteraction(cvc: FlowBench.cvc)
        let failing = try bench.manager(first)
        let lost = await #expect(throws: FlowError.self) { try await failing.setUp(try await failing.card()) }
        #expect(lost?.isLoss == true && first.words == ["cvc"])
        #expect(bench.record.path == (isMoved ? DerivationPath() : home))
        #expect(bench.store.flows(of: bench.ident).map(\.state.kind) == [.setup])

        bench.watch.disturbance = nil
        bench.reader.insert()
        let person = ScriptedInteraction(cvc: FlowBench.cvc, newCVC: Self.newCVC)
        let manager = try bench.manager(person)
        let path = try DerivationPath(parsing: "m/84h/1h/5h")
        let goal = isChanged ? SetupGoal(path: path, keepsCVC: false) : SetupGoal()
        let result = try await manager.setUp(try await manager.card(), goal)
        #expect(person.words == (isChanged ? ["changeReadyCard", "cvc", "newCVC"] : ["cvc"]))
        #expect(result.wasReady && result.backup == nil && result.account.path == (isChanged ? path : home))
        #expect(bench.record.cvc == (isChanged ? Self.newCVC : FlowBench.cvc) && bench.record.backups == backups)
        #expect(bench.record.path == result.account.path && bench.store.flows().isEmpty)
        #expect(AtomicFile.length(of: BackupFile(ident: bench.ident).path) == nil)
    }

    /// A change that was agreed to, and interrupted, is asked about again, also if nobody names it any more.
    @Test func anInterruptedChangeOfAReadyCardIsAskedAboutAgain() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let path = try DerivationPath(parsing: "m/84h/1h/5h")
        bench.watch.disturbance = FunctionInterceptor(onCommand: { $0.name == "derive" ? .pull(.byHand) : .pass })
        let failing = try bench.manager(ScriptedInteraction(cvc: FlowBench.cvc, newCVC: Self.newCVC))
        await #expect(throws: FlowError.self) {
            try await failing.setUp(try await failing.card(), SetupGoal(path: path, keepsCVC: false))
        }
        bench.watch.disturbance = nil
        bench.reader.insert()
        let person = ScriptedInteraction(cvc: FlowBench.cvc, newCVC: Self.newCVC)
        let manager = try bench.manager(person)
        let result = try await manager.setUp(try await manager.card())
        #expect(person.words == ["changeReadyCard", "cvc", "newCVC"])
        guard case .otherQuestion(.changeReadyCard(_, to: let asked, changesCVC: true))? = person.entries.first else {
            Issue.record("\(person.entries)")
            return
        }
        #expect(asked == path && result.account.path == path)
        #expect(bench.record.cvc == Self.newCVC && bench.store.flows().isEmpty)
    }

    /// Whoever can write the store makes no card ready: one without a backup gets it, and a new CVC. Nor is a card moved
    /// without a question.
    @Test func aStoreThatCallsACardReadyIsNotBelieved() async throws {
        var generator = SeededGenerator()
        let folder = try TemporaryFolder()
        let path = try DerivationPath(parsing: "m/84h/1h/5h")
        let planted = FlowState.setup(
            SetupState(
                step: .settingPath, chainCode: nil, path: path, backupFile: nil, keepsCVC: true, isCVCChanged: false,
                wasReady: true))
        let bench = try FlowBench(using: &generator)
        var goal = SetupFlow.Goal(
            path: path, chainCode: ChainCode(repeating: 1), isChainCodeNamed: false, newCVC: nil)
        goal.makesBackup = false
        _ = try await bench.run { [goal] driver in
            try await SetupFlow(driver: driver, cvc: CVC(FlowBench.cvc), goal: goal).run { _ in }
        }
        bench.store.record(planted, of: bench.ident, at: 1)
        let file = BackupFile(path: folder.path("b.aes"), ident: bench.ident)
        // The card counts a backup that nobody gets: it still is not ready.
        bench.watch.disturbance = FunctionInterceptor(onAnswer: { $1.name == "backup" ? .pull(.byHand) : .pass })
        let failing = try bench.manager(ScriptedInteraction(cvc: FlowBench.cvc, newCVC: Self.newCVC))
        await #expect(throws: FlowError.self) { try await failing.setUp(try await failing.card(), backup: file) }
        #expect(bench.record.backups == 1 && AtomicFile.length(of: file.path) == nil)
        bench.watch.disturbance = nil
        bench.reader.insert()
        let person = ScriptedInteraction(cvc: FlowBench.cvc, newCVC: Self.newCVC)
        let manager = try bench.manager(person)
        let result = try await manager.setUp(try await manager.card(), backup: file)
        #expect(person.words == ["cvc", "newCVC"] && result.backup != nil && !result.wasReady)
        #expect(bench.record.cvc == Self.newCVC && bench.store.flows().isEmpty)

        let ready = try await FlowBench.ready(using: &generator)
        ready.store.record(planted, of: ready.ident, at: 1)
        let refusing = ScriptedInteraction(isAgreed: false)
        let other = try ready.manager(refusing)
        await #expect(throws: ScriptedInteraction.Declined.self) { try await other.setUp(try await other.card()) }
        #expect(refusing.words == ["changeReadyCard"] && ready.record.path != path)
    }
}

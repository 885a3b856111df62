import Bitcoin
import FlowSupport
import LyingCards
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

    private static func setUp(
        _ bench: FlowBench, isNamed: Bool = false, _ chainCode: ChainCode
    ) async throws -> CardSetup {
        let goal = SetupFlow.Goal(path: nil, chainCode: chainCode, isChainCodeNamed: isNamed, newCVC: nil)
        return try await bench.run { driver in
            try await SetupFlow(driver: driver, cvc: CVC(FlowBench.cvc), goal: goal).run { _ in }
        }
    }

    /// A card that has its key, and a store in which somebody noted that an interrupted setup gave it a chain code.
    /// - Parameter chainCode: `nil`: the one that its key has.
    private static func planted(
        _ chainCode: ChainCode?, using generator: inout SeededGenerator
    ) async throws -> FlowBench {
        let bench = try await FlowBench.ready(using: &generator)
        let given = try chainCode ?? bench.wallet().master.chainCode
        let state = SetupState(
            step: .provingKey, chainCode: given, path: nil, backupFile: nil, isCVCChanged: false)
        bench.store.record(.setup(state), of: bench.ident, at: 1)
        return bench
    }

    /// Whoever can write the store makes no key new: with its own chain code noted there, that is the store's word.
    @Test func aPlantedChainCodeMakesNoKeyNew() async throws {
        var generator = SeededGenerator()
        let bench = try await Self.planted(nil, using: &generator)
        let own = try bench.wallet().master.chainCode
        let result = try await Self.setUp(bench, ChainCode(repeating: 2))
        #expect(!result.isKeyNew && result.isKeyOfEarlierSetup)
        #expect(try bench.wallet().master.chainCode == own && bench.store.flows().isEmpty)
        // Without that note, there was nothing to be interrupted.
        let again = try await Self.setUp(bench, ChainCode(repeating: 3))
        #expect(!again.isKeyNew && !again.isKeyOfEarlierSetup)
    }

    /// With another chain code noted, each run refuses the card, until somebody gives the one that its key has.
    @Test func aKeyWithoutTheNotedChainCodeIsRefusedEachTime() async throws {
        var generator = SeededGenerator()
        let bench = try await Self.planted(ChainCode(repeating: 1), using: &generator)
        let (path, own) = (try #require(bench.record.path), try bench.wallet().master.chainCode)
        for run: UInt8 in 2...4 {
            let error = await expectFailure { try await Self.setUp(bench, ChainCode(repeating: run)) }
            #expect(error == .keyNotOurs && error?.remedy.contains("that chain code") == true)
            #expect(bench.store.flows(of: bench.ident).map(\.state.kind) == [.setup])
        }
        let result = try await Self.setUp(bench, isNamed: true, own)
        #expect(!result.isKeyNew && !result.isKeyOfEarlierSetup && result.account.path == path)
        #expect(try bench.wallet().master.chainCode == own && bench.record.path == path)
        #expect(bench.store.flows().isEmpty)
    }

    /// A card that chose its own chain code never becomes ready by itself, however often somebody tries.
    @Test func aCardThatIgnoresTheChainCodeIsRefusedEachTime() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator)
        try bench.simulated.lie([.ignoresChainCode])
        let first = await expectFailure { try await Self.setUp(bench, ChainCode(repeating: 1)) }
        #expect(first?.failedProof == .chainCode)
        for run: UInt8 in 2...3 {
            let error = await expectFailure { try await Self.setUp(bench, ChainCode(repeating: run)) }
            #expect(error == .keyNotOurs)
        }
        let named = await expectFailure { try await Self.setUp(bench, isNamed: true, ChainCode(repeating: 4)) }
        #expect(named == .otherChainCode)
        #expect(await expectFailure { try await Self.setUp(bench, ChainCode(repeating: 5)) } == .keyNotOurs)
    }

    /// A slip in the chain code of a card that is ready is told, and keeps nobody out afterwards.
    @Test func aWrongChainCodeIsNotNoted() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let error = await expectFailure { try await Self.setUp(bench, isNamed: true, ChainCode(repeating: 1)) }
        #expect(error == .otherChainCode)
        let result = try await Self.setUp(bench, ChainCode(repeating: 2))
        #expect(!result.isKeyNew && !result.isKeyOfEarlierSetup && bench.store.flows().isEmpty)
    }

    /// A chain code that the person gives is what the key must have, whatever somebody noted.
    @Test func aGivenChainCodeCountsMoreThanAPlantedOne() async throws {
        var generator = SeededGenerator()
        let bench = try await Self.planted(ChainCode(repeating: 1), using: &generator)
        let result = try await Self.setUp(bench, isNamed: true, bench.wallet().master.chainCode)
        #expect(!result.isKeyNew && !result.isKeyOfEarlierSetup && bench.store.flows().isEmpty)
    }

    /// Of a key that the card picks now, the store has nothing to say: one that chose its own chain code is found out.
    @Test func aPlantedChainCodeExcusesNoCard() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator)
        try bench.simulated.lie([.ignoresChainCode])
        let state = SetupState(
            step: .pickingKey, chainCode: ChainCode(repeating: 1), path: nil, backupFile: nil, isCVCChanged: false)
        bench.store.record(.setup(state), of: bench.ident, at: 1)
        let error = await expectFailure { try await Self.setUp(bench, ChainCode(repeating: 2)) }
        #expect(error?.failedProof == .chainCode)
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

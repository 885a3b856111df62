import Bitcoin
import ByteCodec
import FlowSupport
import SmartCard
import Synchronization
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

@Suite struct SetupFlowTests {
    private let chainCode = ChainCode(repeating: 0x5A)

    private func goal(
        path: String? = nil, chainCode: ChainCode? = nil, isNamed: Bool = false, newCVC: String? = nil
    ) throws -> SetupFlow.Goal {
        SetupFlow.Goal(
            path: try path.map { try DerivationPath(parsing: $0) }, chainCode: chainCode ?? self.chainCode,
            isChainCodeNamed: isNamed, newCVC: try newCVC.map { try CVC($0) })
    }

    private func setUp(
        _ bench: FlowBench, _ goal: SetupFlow.Goal, cvc: String = FlowBench.cvc,
        save: @escaping @Sendable (CardBackup) throws(WritingError) -> Void = { _ in }
    ) async throws -> CardSetup {
        try await bench.run { try await SetupFlow(driver: $0, cvc: CVC(cvc), goal: goal).run(saveBackup: save) }
    }

    /// The error that a flow ends with.
    private func failure(_ body: () async throws -> CardSetup) async throws -> FlowError {
        do { _ = try await body() } catch { return try #require(error as? FlowError) }
        throw FlowError.unexpected("no failure")
    }

    /// An interrupted setup, the card moved to another path since: the backup is of the card as it is now, and no other
    /// interrupted flow brings it back to an earlier path.
    @Test func whatIsSavedAgainIsOfTheCardAsItIs() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let stale = try EncryptedBackup([UInt8](repeating: 0x42, count: 130))
        bench.store.save(StoredBackup(card: bench.ident, ciphertext: stale, count: 1, created: 1))
        let time = UnixTime(seconds: 1)
        let state = SetupState(step: .changingCVC, chainCode: nil, path: nil, backupFile: "b.aes", isCVCChanged: false)
        bench.store.record(.setup(state), of: bench.ident, at: time)
        let sign = try SignState(
            transaction: #require(TransactionID(parsing: String(repeating: "ab", count: 32))),
            ownPath: DerivationPath(parsing: "m/7h"), total: 3)
        bench.store.record(.sign(sign), of: bench.ident, at: time)
        bench.store.record(
            try .derive(DeriveState(from: DerivationPath(parsing: "m/84h/1h/0h"), to: DerivationPath(parsing: "m/7h"))),
            of: bench.ident, at: time)
        let saved = Mutex<EncryptedBackup>(stale)
        _ = try await setUp(bench, try goal(path: "m/49h/1h/0h")) { backup in saved.withLock { $0 = backup.ciphertext }
        }
        let key = try Backup.Key(hex: try #require(bench.record.aesKey))
        let backup = try Backup(decrypting: saved.withLock { $0 }, key: key)
        #expect(backup.path.description == "m/49h/1h/0h")
        #expect(backup.belongs(to: try bench.wallet().master.neutered))
        #expect(bench.record.path?.description == "m/49h/1h/0h")
        #expect(bench.store.flows().isEmpty)
    }

    /// A card that had its key before is at `m` while that is proven. The process dies there; whoever runs the setup again,
    /// without naming a path, gets the account back that they had.
    @Test func aSetupThatWasKilledLeavesNoCardAtTheMasterKey() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let path = try DerivationPath(parsing: "m/49h/1h/7h")
        _ = try await bench.run { try await AccountFlow(driver: $0, cvc: CVC(FlowBench.cvc)).derive(path) }
        bench.watch.disturbance = FunctionInterceptor(onAnswer: { _, exchange in
            guard exchange.name == "derive" else { return .pass }
            bench.mortal.die()
            return .fail(ReaderError(.cardRemoved, "The process is dead."))
        })
        _ = try await failure { try await setUp(bench, try goal()) }
        #expect(bench.record.path == DerivationPath())
        bench.watch.disturbance = nil
        bench.mortal.startAnew()
        bench.reader.insert()
        #expect(try await setUp(bench, try goal()).account.path == path)
        #expect(bench.record.path == path)
        #expect(bench.store.flows().isEmpty)
    }

    /// The process dies when the card has done what it was asked and has not answered. The journal says what that was.
    @Test func theJournalTellsAtWhichStepASetupWasKilled() async throws {
        let steps: [(command: String, path: String?, step: SetupStep)] = [
            ("new", nil, .pickingKey), ("derive", "m", .provingKey), ("derive", "m/49h/1h/3h", .settingPath),
            ("backup", nil, .backingUp), ("change", nil, .changingCVC),
        ]
        var generator = SeededGenerator()
        for (command, path, step) in steps {
            let bench = try FlowBench(using: &generator)
            bench.watch.disturbance = FunctionInterceptor(onAnswer: { _, exchange in
                guard exchange.name == command, path == nil || bench.record.path?.description == path else {
                    return .pass
                }
                bench.mortal.die()
                return .fail(ReaderError(.cardRemoved, "The process is dead."))
            })
            let goal = try goal(path: "m/49h/1h/3h", newCVC: "87654321")
            _ = try await failure { try await setUp(bench, goal) }
            let unfinished = bench.store.flows(of: bench.ident).map(\.state).first { $0.kind == .setup }
            guard case .setup(let state) = unfinished else {
                Issue.record("\(step): nothing is unfinished")
                continue
            }
            #expect(state.step == step)
            #expect(state.path?.description == "m/49h/1h/3h", "\(step)")
        }
    }

    /// Killed while the card was at `m`: what reads its account next moves it to the path that was chosen; and once the
    /// user chooses another, to that one.
    @Test func aSetupThatWasKilledOwesTheCardItsPath() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator)
        bench.watch.disturbance = FunctionInterceptor(onAnswer: { _, exchange in
            guard exchange.name == "derive" else { return .pass }
            bench.mortal.die()
            return .fail(ReaderError(.cardRemoved, "The process is dead."))
        })
        _ = try await failure { try await setUp(bench, try goal(path: "m/49h/1h/3h")) }
        bench.watch.disturbance = nil
        bench.mortal.startAnew()
        bench.reader.insert()
        #expect(bench.record.path?.description == "m")

        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try bench.manager(person)
        let account = try await manager.account(of: manager.card())
        #expect(account.account.path.description == "m/49h/1h/3h" && bench.record.path == account.account.path)
        #expect(person.entries.contains { if case .notice(.setupUnfinished) = $0 { true } else { false } })

        let other = try DerivationPath(parsing: "m/48h/1h/0h")
        _ = try await manager.derive(other, on: manager.card())
        #expect(try await manager.account(of: manager.card()).account.path == other && bench.record.path == other)
        #expect(try await setUp(bench, try goal()).account.path == other)
        #expect(bench.store.flows().isEmpty)
    }

    /// A refused CVC does not end what an earlier run still had to do: the card is somewhere else, and must go home.
    @Test func aRefusedMoveLeavesTheEarlierOneOwed() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let (home, away) = (try #require(bench.record.path), try DerivationPath(parsing: "m/44h/1h/0h"))
        let earlier = FlowState.derive(DeriveState(from: away, to: home))
        _ = try await bench.run { driver in
            try driver.journal.record(earlier)
            _ = try await driver.perform { try $0.setPath(away, cvc: CVC(FlowBench.cvc)) }
        }
        let failure = await expectFailure {
            try await bench.run {
                try await AccountFlow(driver: $0, cvc: CVC("999999")).derive(try DerivationPath(parsing: "m/48h/1h/0h"))
            }
        }
        #expect(failure?.isWrongCVC == true && bench.watch.wrongCVCs == 1)
        #expect(bench.store.flows(of: bench.ident).map(\.state) == [earlier])
        let account = try await bench.run { try await AccountFlow(driver: $0, cvc: CVC(FlowBench.cvc)).keys().account }
        #expect(account.path == home && bench.record.path == home && bench.store.flows().isEmpty)
    }

    /// Delivered twice, the move is refused the second time, and the card is where it was told to go: that is not struck out.
    @Test func aMoveThatWasDoneIsNotStruckOut() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let moved = try DerivationPath(parsing: "m/48h/1h/0h")
        bench.watch.disturbance = FunctionInterceptor(onCommand: { $0.name == "derive" ? .passTwice : .pass })
        let failure = await expectFailure {
            try await bench.run { try await AccountFlow(driver: $0, cvc: CVC(FlowBench.cvc)).derive(moved) }
        }
        #expect(failure?.isWrongCVC == true && bench.record.path == moved)
        #expect(bench.store.flows(of: bench.ident).map(\.state.kind) == [.derive])
    }

    @Test func whoeverReadsTheAccountIsToldThatThereIsNoBackup() async throws {
        var generator = SeededGenerator()
        for makesBackup in [false, true] {
            let bench = try FlowBench(using: &generator)
            var goal = try goal()
            goal.makesBackup = makesBackup
            _ = try await setUp(bench, goal)
            let person = ScriptedInteraction(cvc: FlowBench.cvc)
            let manager = try bench.manager(person)
            _ = try await manager.account(of: manager.card())
            let isTold = person.entries.contains { if case .notice(.notBackedUp) = $0 { true } else { false } }
            #expect(isTold == !makesBackup)
        }
    }

    /// A card that refuses a later step has its key already: that is unfinished, with the chain code that it was given.
    @Test func whatTheCardRefusesLaterStaysUnfinished() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator)
        let refusal: CBORMap = ["error": .text("bad arguments"), "code": .unsigned(400)]
        bench.watch.disturbance = FunctionInterceptor(onCommand: { exchange in
            exchange.name == "backup" ? .answer(CBOREncoder.encode(.map(refusal)) + [0x90, 0x00]) : .pass
        })
        let error = try await failure { try await setUp(bench, try goal()) }
        #expect(error.isRefusalByCard)
        bench.watch.disturbance = nil
        let result = try await setUp(bench, try goal(chainCode: ChainCode(repeating: 1)))
        #expect(!result.isKeyNew && result.isKeyOfEarlierSetup && result.backup != nil)
        #expect(try bench.wallet().master.chainCode == chainCode)
        #expect(bench.store.flows().isEmpty)
    }

    /// A card without a key gets the chain code of this run, whatever somebody wrote into the store.
    @Test func aPlantedChainCodeIsNotGiven() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator)
        let state = SetupState(
            step: .pickingKey, chainCode: ChainCode(repeating: 1), path: nil, backupFile: nil, isCVCChanged: false)
        bench.store.record(.setup(state), of: bench.ident, at: UnixTime(seconds: 1))
        let result = try await setUp(bench, try goal())
        #expect(try result.isKeyNew && bench.wallet().master.chainCode == chainCode)
    }

    /// Other CVCs than in the interrupted run: the right one is found, whichever it is, with one wrong try at most.
    @Test(arguments: [true, false]) func laterRunsMayNameOtherCVCs(_ isCVCChanged: Bool) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let state = SetupState(
            step: .changingCVC, chainCode: nil, path: nil, backupFile: nil, isCVCChanged: isCVCChanged)
        bench.store.record(.setup(state), of: bench.ident, at: UnixTime(seconds: 1))
        _ = try await setUp(bench, try goal(newCVC: "44445555"))
        #expect(bench.record.cvc == "44445555" && bench.record.wrongAttempts == 0)
        #expect(bench.watch.wrongCVCs <= 1)
    }

    @Test func makesATapsignerReady() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator)
        let result = try await setUp(bench, try goal(newCVC: "87654321"))
        let wallet = try bench.wallet()
        #expect(result.product == .tapsigner)
        #expect(result.ident == bench.ident)
        #expect(result.isKeyNew)
        #expect(wallet.master.chainCode == chainCode)
        #expect(result.account.path.description == "m/84h/1h/0h")
        #expect(result.account.masterFingerprint == wallet.fingerprint)
        #expect(result.account.key.publicKey == (try wallet.publicKey(result.account.path)))
        #expect(result.account.key.chainCode == (try wallet.extendedKey(result.account.path).chainCode))
        #expect(result.backup?.count == 1)
        #expect(bench.record.cvc == "87654321")
        #expect(bench.watch.wrongCVCs == 0)
    }

    @Test func makesASatschipReadyWithoutABackup() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(.satschip, using: &generator)
        let result = try await setUp(bench, try goal(newCVC: "87654321")) { _ in Issue.record("a backup") }
        #expect(result.product == .satschip)
        #expect(result.backup == nil)
        #expect(bench.record.cvc == "87654321")
        #expect(bench.reader.exchangeCounts["backup"] == nil)
    }

    @Test(arguments: ["m", "m/49h/1h/3h", "m/1h/2h/3h/4h/5h/6h/7h/8h"]) func goesToThePath(path: String) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator)
        let result = try await setUp(bench, try goal(path: path))
        #expect(result.account.path.description == path)
        #expect(bench.record.path?.description == path)
    }

    @Test(arguments: ["m/84h/0", "m/1h/2h/3h/4h/5h/6h/7h/8h/9h"]) func refusesPathsBeforeTheCard(path: String)
        async throws
    {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator)
        let error = try await failure { try await setUp(bench, try goal(path: path)) }
        #expect(error == .badPath(try DerivationPath(parsing: path)))
        #expect(bench.exchangeCount == 0)
    }

    @Test func keepsTheCVC() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator)
        _ = try await setUp(bench, try goal())
        #expect(bench.record.cvc == FlowBench.cvc)
        #expect(bench.reader.exchangeCounts["change"] == nil)
    }

    @Test func knowsANamedChainCodeOnACardWithAKey() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator)
        _ = try await setUp(bench, try goal())
        let again = try await setUp(bench, try goal(isNamed: true))
        #expect(!again.isKeyNew)
        let other = ChainCode(repeating: 1)
        let error = try await failure { try await setUp(bench, try goal(chainCode: other, isNamed: true)) }
        #expect(error == .otherChainCode)
    }

    @Test func aFinishedCardStaysAsItIs() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator)
        let first = try await setUp(bench, try goal(path: "m/49h/1h/3h", newCVC: "87654321"))
        let drawn = ChainCode(repeating: 1)
        for cvc in ["87654321", FlowBench.cvc] {
            let again = try await setUp(bench, try goal(chainCode: drawn, newCVC: "87654321"), cvc: cvc)
            #expect(!again.isKeyNew)
            #expect(again.account == first.account)
            #expect(again.backup?.ciphertext == first.backup?.ciphertext)
            #expect(bench.record.cvc == "87654321")
        }
        // The old CVC was given, and the new one is in force.
        #expect(bench.watch.wrongCVCs == 1)
    }

    /// The right CVC, and a new one, of a card that is ready: no try is spent.
    @Test func theRightCVCCostsNoTry() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        _ = try await setUp(bench, try goal(newCVC: "87654321"))
        #expect(bench.record.cvc == "87654321" && bench.watch.wrongCVCs == 0)
    }

    @Test func twoWrongCVCsCostTwoTriesAndNoDelay() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let error = try await failure { try await setUp(bench, try goal(newCVC: "87654321"), cvc: "000000") }
        #expect(error == .card(.wrongCVC(.atMost(1))))
        #expect(bench.watch.wrongCVCs == 2)
        #expect(bench.record.authDelay == 0)
    }

    @Test func waitsOffADelayThatWrongCVCsLeftBehind() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        for _ in 0..<3 { _ = try await failure { try await setUp(bench, try goal(), cvc: "000000") } }
        #expect(bench.record.authDelay == 15)
        _ = try await setUp(bench, try goal(), cvc: FlowBench.cvc)
        #expect(bench.reader.exchangeCounts["wait"] == 15)
        #expect(bench.record.wrongAttempts == 0)
    }

    @Test func aDelayThatTheSearchForTheCVCBeginsIsWaitedOffToo() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        for _ in 0..<3 { _ = try await failure { try await setUp(bench, try goal(), cvc: "000000") } }
        let state = SetupState(step: .changingCVC, chainCode: nil, path: nil, backupFile: nil, isCVCChanged: true)
        bench.store.record(.setup(state), of: bench.ident, at: UnixTime(seconds: 1))
        _ = try await setUp(bench, try goal(newCVC: "87654321"))
        #expect(bench.reader.exchangeCounts["wait"] == 30)
        #expect(bench.record.cvc == "87654321")
    }

    @Test func aDelayThatNeverEndsIsNotWaitedForForEver() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        for _ in 0..<3 { _ = try await failure { try await setUp(bench, try goal(), cvc: "000000") } }
        let endless: [UInt8] =
            [0xA2] + Array("gsuccess".utf8) + [0xF5] + Array("jauth_delay".utf8) + [0x0F, 0x90, 0x00]
        bench.watch.disturbance = FunctionInterceptor(
            onCommand: { $0.name == "wait" ? .answer(endless) : .pass })
        let error = try await failure { try await setUp(bench, try goal()) }
        #expect(error == .card(.rateLimited(seconds: 15)))
    }

    @Test func aBackupThatCannotBeSavedEndsBeforeTheCVCIsChanged() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator)
        let folder = try TemporaryFolder()
        let path = folder.path("missing/card.aes")
        let error = try await failure {
            try await setUp(bench, try goal(newCVC: "87654321")) { (backup) throws(WritingError) in
                try AtomicFile.write(backup.ciphertext.bytes, to: path, mode: 0o600)
            }
        }
        guard case .backupNotSaved(let file, _) = error else { throw error }
        #expect(file.path == path)
        #expect(bench.record.cvc == FlowBench.cvc)
        let result = try await setUp(bench, try goal(newCVC: "87654321"))
        #expect(result.isKeyNew)
        #expect(bench.record.cvc == "87654321")
    }

    @Test func aCardOfAnotherFactoryIsRefusedBeforeAnythingChanges() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator) { $0.factory = .development }
        let error = try await failure { try await setUp(bench, try goal(newCVC: "87654321")) }
        #expect(error == .notGenuine(.unknown(root: try SimulatedFactory.development.rootKey)))
        #expect(bench.record.path == nil)
        #expect(bench.record.cvc == FlowBench.cvc)
        #expect(Set(bench.reader.exchangeCounts.keys).isSubset(of: ["select", "status", "check", "certs"]))
    }

    @Test func aSatscardIsRefused() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(.satscard, using: &generator)
        let error = try await failure { try await setUp(bench, try goal()) }
        #expect(error == .wrongProduct(.satscard, task: .setUp))
        #expect(bench.reader.exchangeCounts == ["select": 1])
    }

    @Test func aCardThatChoosesItsOwnChainCodeFailsTheProof() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator)
        let ours = chainCode.bytes
        bench.watch.disturbance = FunctionInterceptor(onCommand: { exchange in
            guard exchange.name == "new", let place = exchange.command.firstRange(of: ours) else { return .pass }
            var command = exchange.command
            command[place.lowerBound] ^= 1
            return .replace(command)
        })
        let error = try await failure { try await setUp(bench, try goal()) }
        guard case .card(.badProof(.chainCode, _)) = error else { throw error }
    }

    @Test func anotherCardIsRefusedFromTheFirstAnswerOn() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator)
        let other = try FlowBench(using: &generator)
        bench.reader.insert(other.simulated)
        let error = try await failure { try await setUp(bench, try goal()) }
        #expect(error == .card(.anotherCard(expected: bench.ident, found: other.ident)))
        #expect(other.record.path == nil)
    }
}

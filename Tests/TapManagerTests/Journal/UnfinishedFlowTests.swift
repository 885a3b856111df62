import Bitcoin
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// What a manager tells of flows that were interrupted.
@Suite struct UnfinishedFlowTests {
    private func bench() async throws -> FlowBench {
        var generator = SeededGenerator()
        return try await FlowBench.ready(using: &generator)
    }

    private func record(_ state: FlowState, _ bench: FlowBench, at time: UnixTime = 5) {
        bench.store.record(state, of: bench.ident, at: time)
    }

    @Test func everyFlowIsToldWithItsWayOn() async throws {
        let (bench, folder) = (try await bench(), try TemporaryFolder())
        let (from, to) = (try DerivationPath(parsing: "m/1h"), try DerivationPath(parsing: "m/2h"))
        let path = folder.url.path + "/b.aes"
        let file = BackupFile(path: path)
        let ends = try #require(TrimmedAddress(parsing: "bc1qar0srrr7___l643lydnw9re"))
        let manager = try bench.manager(NobodyToAsk())
        #expect(manager.unfinished(of: bench.ident).flows.isEmpty)
        let states: [(FlowState, UnfinishedFlow.Work)] = [
            (
                .setup(
                    SetupState(
                        step: .backingUp, chainCode: nil, path: nil, backupFile: path, keepsCVC: true,
                        isCVCChanged: false)), .setUp(.backingUp, backupFile: file, keepsCVC: true)
            ),
            (.backup(BackupState(file: path)), .backUp(file: file, saveableIn: file)),
            (.changeCVC(ChangeCVCState(lastTried: nil)), .changeCVC),
            (.derive(DeriveState(from: from, to: to)), .derive(from: from, to: to)),
            (
                .unseal(UnsealState(slotIndex: 2, address: ends.description)),
                .unseal(SlotNumber(index: 2), address: ends)
            ),
            // What nobody can read as an address keeps no unsealing from being told.
            (
                .unseal(UnsealState(slotIndex: 2, address: "bc1q___x")),
                .unseal(SlotNumber(index: 2), address: nil)
            ),
            (
                .nextSlot(NextSlotState(slotIndex: 3, chainCode: ChainCode(repeating: 1))),
                .setUpSlot(SlotNumber(index: 3))
            ),
        ]
        for (state, work) in states {
            record(state, bench)
            let (flows, problems) = manager.unfinished(of: bench.ident)
            #expect(flows.map(\.work) == [work] && flows.map(\.since) == [5] && problems.isEmpty)
            #expect(flows.map(\.kind) == [state.kind])
            bench.store.finish(state.kind, of: bench.ident)
        }
    }

    /// What lies where the backup should be, and is none of this card's, is left alone.
    @Test func anotherFileIsNamedForABackup() async throws {
        let (bench, folder) = (try await bench(), try TemporaryFolder())
        let manager = try bench.manager(NobodyToAsk())
        let file = folder.url.path + "/b.aes"
        try AtomicFile.write([1, 2, 3], to: file, mode: 0o600)
        record(.backup(BackupState(file: file)), bench)
        #expect(
            manager.unfinished(of: bench.ident).flows.map(\.work)
                == [
                    .backUp(
                        file: BackupFile(path: file), saveableIn: BackupFile(path: folder.url.path + "/b-2.aes"))
                ])
    }

    @Test func aSigningIsToldWhetherOrNotItsTransactionIsStored() async throws {
        let bench = try await bench()
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2wpkh, .p2wpkh]
        let psbt = try bench.wallet().psbt(recipe)
        let id = psbt.unsignedTransaction.id
        let own = try DerivationPath(parsing: "m/84h/1h/0h")
        record(.sign(SignState(transaction: id, ownPath: own, total: 2)), bench)
        let manager = try bench.manager(NobodyToAsk())
        let unknown = manager.unfinished(of: bench.ident).flows.map(\.work)
        #expect(unknown == [.sign(id, isStored: false, extent: nil, ownPath: own)])

        let status = try await TapCard(reader: bench.reader).perform { $0.status }
        bench.store.save(CardRecord(status, fingerprint: try bench.wallet().fingerprint, lastSeen: 1))
        _ = try bench.store.keep(psbt, at: 1)
        let known = manager.unfinished(of: bench.ident).flows.map(\.work)
        #expect(
            known == [
                .sign(id, isStored: true, extent: .init(done: 0, total: 2), ownPath: own)
            ])
    }

    /// A store that cannot be read is told, and keeps nobody from the rest.
    @Test func aStoreThatCannotBeReadIsTold() async throws {
        let bench = try await bench()
        let manager = try bench.manager(NobodyToAsk())
        bench.mortal.die()
        let (flows, problems) = manager.unfinished(of: bench.ident)
        #expect(flows.isEmpty && problems.count == 1)
    }
}

import FlowSupport
import Glibc
import TapManager
import TapProtocol
import TestSupport
import Testing

@Suite struct BackupFlowTests {
    /// What cannot be saved as a file is not lost: the store has had it before.
    @Test func aBackupThatCannotBeSavedIsInTheStore() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        #expect(bench.store.backups(of: bench.ident).map(\.count) == [1])
        let failure = await expectFailure {
            try await bench.run {
                try await BackupFlow(driver: $0, cvc: CVC(FlowBench.cvc)).backup(to: "full.aes") {
                    _ throws(WritingError) in
                    throw WritingError(path: "full.aes", errorNumber: ENOSPC)
                }
            }
        }
        #expect(failure != nil)
        #expect(bench.store.backups(of: bench.ident).map(\.count) == [2])
    }
}

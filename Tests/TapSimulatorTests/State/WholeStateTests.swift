import Foundation
import TestSupport
import Testing

@testable import TapSimulator

/// There is only ever a whole state in a card's file.
@Suite struct WholeStateTests {
    @Test func aReaderNeverSeesHalfAState() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("card.json")
        _ = try SimulatedCardRecord(creating: SimulatedCardOptions(product: .tapsigner), at: path)
        let writing = Task.detached {
            try await BlockingThread.run {
                let app = try AppSide(SimulatedCard(path: path, waitDuration: .zero))
                _ = try app.sendWithCVC("new", ["chain_code": .bytes(LifeCycleTests.chainCode)])
                for _ in 0..<50 { _ = try app.sendWithCVC("backup") }
            }
        }
        let seen = try await BlockingThread.run {
            var seen = 0
            while seen < 50 {
                let now = try SimulatedCardRecord(path: path).backups ?? 0
                if now < seen { Issue.record("The file went back from \(seen) to \(now).") }
                seen = now
            }
            return seen
        }
        try await writing.value
        #expect(seen == 50)
    }
    /// A process that is killed while it saves leaves a file that opens, with every answer's state in it.
    @Test(arguments: [1, 3, 7, 12, 20, 31]) func aKilledProcessLeavesAWholeState(milliseconds: Int) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("card.json")
        let log = folder.path("answers")
        _ = try SimulatedCardRecord(creating: SimulatedCardOptions(product: .tapsigner), at: path)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, log = log as String, milliseconds = milliseconds as Int] in
            let app = try AppSide(SimulatedCard(path: path, waitDuration: .zero))
            _ = try app.sendWithCVC("new", ["chain_code": .bytes(LifeCycleTests.chainCode)])
            let answers = open(log, O_WRONLY | O_CREAT, 0o600)
            Thread {
                usleep(UInt32(milliseconds) * 1_000)
                kill(getpid(), SIGKILL)
            }.start()
            for _ in 0..<120 {
                _ = try app.sendWithCVC("backup")
                write(answers, [1], 1)
            }
            while true { pause() }
        }
        let answered = try Data(contentsOf: URL(fileURLWithPath: log)).count
        let app = try AppSide(SimulatedCard(path: path, waitDuration: .zero))
        let backups = try #require(app.card.record.backups)
        // The last one may be saved and not yet answered.
        #expect((answered...answered + 1).contains(backups))
        #expect(try app.sendWithCVC("backup").errorCode == nil)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["answers", "card.json"])
    }
}

import Bitcoin
import Foundation
import TestSupport
import Testing

/// `tapkit` killed at its writes to the store, and the disk refusing them (a share, or each write in each way): nothing that was verified is lost, and the
/// command run again comes to the same end.
@Suite struct StoreFaultTests {
    @Test(arguments: StoreJob.all) func atItsWrites(_ job: StoreJob) async throws {
        let original = try await job.prepare()
        let count = try await undisturbed(job, original)
        #expect(count > 10)
        let before = try await StoreLook(at: original.folder.path("data"))
        var share = MatrixShare(oneOf: 2, of: job.testDescription)
        let cells = (1...count).filter { _ in share.takesNext() }.flatMap { write in
            share.ofNext(ProcessFault.Kind.allCases).map { ProcessFault(kind: $0, write: write) }
        }
        try await LongWork.inTurn {
            var missed = 0
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for (number, fault) in cells.enumerated() {
                    if number >= Self.width, try await group.next() == false { missed += 1 }
                    group.addTask { try await cell(job, original, before, fault) }
                }
                for try await hadFault in group where !hadFault { missed += 1 }
            }
            print("\(job.testDescription): \(count) writes, \(cells.count) cells, \(missed) behind the last write")
            #expect(missed * 10 <= cells.count)
        }
    }

    /// A stored transaction that is signed has no file beside it: what the store refuses is in the answer.
    @Test func whatTheStoreRefusesIsTold() async throws {
        let original = try await StoreJob.sign.prepare()
        let psbt = try original.psbt("tx.psbt")
        try await original.tapkit(["tx", "import", "tx.psbt"], environment: original.ownStore).succeeded()
        let arguments = ["tx", "sign", "\(psbt.unsignedTransaction.id)", "--yes", "--json", "--progress"]
        let whole = try Workshop(copying: original)
        let counting = try await ProcessFault.counting(into: whole.folder.path("count"))
        try await whole.tapkit(arguments, environment: whole.ownStore.merging(counting) { $1 }).succeeded()
        let count = try writeCount(whole)
        var told = 0
        for write in stride(from: count / 2, through: count, by: 3) {
            let workshop = try Workshop(copying: original)
            let fault = ProcessFault(kind: .full, write: write)
            let run = try await workshop.tapkit(
                arguments, environment: workshop.ownStore.merging(try await fault.environment()) { $1 })
            let signed = run.errorText.split(separator: "\n").count { $0.contains(#""event":"signed""#) }
            guard run.ending != .exited(0) else { continue }
            let stored = try await StoreLook(at: workshop.folder.path("data")).signatureCount
            let rescued = try (run.json()["psbt"] as? String).map { text in
                try PSBT(fileContent: Array(text.utf8)).inputs.count { $0.isFinal }
            }
            #expect(max(stored, rescued ?? 0) >= signed, "\(fault): \(run.text)")
            if rescued ?? 0 > stored { told += 1 }
        }
        #expect(told > 0)
    }

    /// How many cells run at the same time.
    private static let width = 3

    /// - Returns: how many writes there are.
    private func undisturbed(_ job: StoreJob, _ original: Workshop) async throws -> Int {
        let workshop = try Workshop(copying: original)
        let left = try await StoreLook(at: workshop.folder.path("data"))
        let counting = try await ProcessFault.counting(into: workshop.folder.path("count"))
        let run = try await workshop.tapkit(
            job.arguments, environment: workshop.ownStore.merging(counting) { $1 }
        ).succeeded()
        try await job.check(try run.json(), workshop, left, "undisturbed")
        return try writeCount(workshop)
    }

    /// How many writes a process made that came to its end.
    private func writeCount(_ workshop: Workshop) throws -> Int {
        try #require(Int(String(decoding: try workshop.bytes("count"), as: UTF8.self).dropLast()))
    }

    /// - Returns: whether the run came as far as the write that was to fail. What is written again within the same second
    ///   may be the same bytes, which SQLite leaves alone: so one run has fewer writes than another.
    private func cell(
        _ job: StoreJob, _ original: Workshop, _ before: StoreLook, _ fault: ProcessFault
    ) async throws -> Bool {
        let comment: Comment = "\(job.testDescription), \(fault)"
        let workshop = try Workshop(copying: original)
        let counting = try await ProcessFault.counting(into: workshop.folder.path("count"))
        let torn = try await workshop.tapkit(
            job.arguments,
            environment: workshop.ownStore.merging(counting) { $1 }.merging(try await fault.environment()) { $1 })
        let made = torn.ending == .exited(0) ? try writeCount(workshop) : nil
        let hadFault = made.map { $0 >= fault.write } ?? true
        let isDone = try expectEnding(torn, fault, hadFault: hadFault, comment)
        let left = try await StoreLook(at: workshop.folder.path("data"))
        #expect(left.integrity == nil || left.integrity == "ok", comment)
        #expect(before.integrity == nil || left.integrity != nil, comment)
        // What was said to be signed is there.
        let signed = torn.errorText.split(separator: "\n").count { $0.contains(#""event":"signed""#) }
        #expect(left.signatureCount >= before.signatureCount + (isDone ? 0 : signed), comment)

        guard !(isDone && job.testDescription == StoreJob.setup.testDescription) else {
            try await job.check(try torn.json(), workshop, before, comment)
            return hadFault
        }
        let again = try await workshop.tapkit(job.arguments, environment: workshop.ownStore)
        #expect(again.ending == .exited(0), "\(comment): \(again.text)\(again.errorText)")
        try await job.check(try again.json(), workshop, left, comment)
        #expect(try await StoreLook(at: workshop.folder.path("data")).unfinished.isEmpty, comment)
        return hadFault
    }

    /// - Returns: whether the run came to its end all the same: the last writes are SQLite's own tidying up.
    private func expectEnding(
        _ run: Subprocess, _ fault: ProcessFault, hadFault: Bool, _ comment: Comment
    ) throws -> Bool {
        guard hadFault else { return true }
        switch fault.kind {
        case .kill, .tear:
            #expect(run.ending == .signalled(SIGKILL), "\(comment): \(run.text)\(run.errorText)")
            return false
        case .full, .readOnly:
            if run.ending == .exited(0) { return true }
            let code = fault.kind == .full ? "disk_full" : "cannot_write"
            let error: [String: Any] = try run.expectFailure(73, code).field("error")
            #expect(try !error.text("hint").isEmpty, comment)
            return false
        }
    }
}

import Foundation
import TestSupport
import Testing

/// The card is pulled at some exchange and laid back a moment later, on both kinds of reader: what comes of the verb is
/// what comes of it undisturbed.
@Suite struct PulledCardTests {
    /// How long the card is away, in milliseconds. PC/SC overlooks less than 0.4 s, and more on a busy machine.
    private static func absence(_ kind: ReaderKind) -> String { kind == .pcsc ? "1500" : "300" }

    @Test(arguments: ReaderKind.allCases) func signing(_ kind: ReaderKind) async throws {
        var generator = SeededGenerator(for: "signing \(kind)")
        let bench = try await Bench(.sign)
        #expect(bench.exchanges > 50)
        let step = kind == .pcsc ? 18 : 9
        let first = Int.random(in: 1...step, using: &generator)
        for (turn, number) in stride(from: first, through: bench.exchanges, by: step).enumerated() {
            let moment = Bool.random(using: &generator) ? "before" : "after"
            try await bench.pull(at: "\(number):\(moment)", on: kind, waits: turn.isMultiple(of: 2))
        }
    }

    @Test(arguments: [CardJob.setup, .changeCVC, .backup, .unseal], ReaderKind.allCases)
    func otherVerbs(_ job: CardJob, _ kind: ReaderKind) async throws {
        var generator = SeededGenerator(for: "\(job.testDescription) \(kind)")
        let bench = try await Bench(job)
        for turn in 0..<(kind == .pcsc ? 2 : 6) {
            let number = Int.random(in: 1...bench.exchanges, using: &generator)
            let moment = Bool.random(using: &generator) ? "before" : "after"
            try await bench.pull(at: "\(number):\(moment)", on: kind, waits: turn.isMultiple(of: 2))
        }
    }

    /// A job, a card for it, and what comes of it undisturbed.
    private struct Bench {
        let job: CardJob
        private let original: Workshop
        /// How many exchanges it takes.
        let exchanges: Int
        private let expected: [String]

        init(_ job: CardJob) async throws {
            self.job = job
            original = try await job.prepare()
            let workshop = try Workshop(copying: original)
            let run = try await workshop.tapkit(job.arguments + ["--trace"]).succeeded()
            exchanges = run.errorText.split(separator: "\n").count { $0.hasPrefix("  | > ") }
            expected = try await job.result(run.json(), workshop)
        }

        /// Runs the job on the same card, which is pulled on the way. Without `--wait` it is run twice.
        func pull(at moment: String, on kind: ReaderKind, waits: Bool) async throws {
            let workshop = try Workshop(copying: original)
            let comment: Comment = "\(job.testDescription) on \(kind), pulled at \(moment), \(waits ? "waits" : "ends")"
            let options = ["--pull-at", moment, "--back-after", PulledCardTests.absence(kind)]
            let output = try await ServedCard.lay(workshop, on: kind, serving: options) { card in
                if !waits {
                    let broken = try await workshop.tapkit(job.arguments, environment: card.reader)
                    try expectBrokenOff(broken, in: workshop, comment)
                    try await workshop.tapkit("status", "--wait=60", environment: card.reader).succeeded()
                }
                let run = try await workshop.tapkit(
                    job.arguments + (waits ? ["--wait=60"] : []), environment: card.reader)
                #expect(card.diary.contains("Card removed."), comment)
                #expect(run.ending == .exited(0), "\(comment): \(run.text)\(run.errorText)")
                return run.output
            }
            let answer = try #require(try JSONSerialization.jsonObject(with: output) as? [String: Any], comment)
            #expect(try await job.result(answer, workshop) == expected, comment)
        }

        private func expectBrokenOff(_ run: Subprocess, in workshop: Workshop, _ comment: Comment) throws {
            #expect(run.ending == .exited(75), "\(comment): \(run.text)\(run.errorText)")
            let document = try run.json()
            let error: [String: Any] = try document.field("error")
            if try error.text("code") == "cvc_in_doubt" {
                #expect(["setup", "change-cvc"].contains(job.arguments.first), comment)
                #expect(try error.text("hint").contains("Keep both CVCs"), comment)
            } else {
                #expect(
                    try ["card_removed", "card_reset", "no_card"].contains(error.text("code")), "\(comment): \(error)")
                #expect(try !error.text("hint").isEmpty, comment)
            }
            guard let progress = document["progress"] as? [String: Int] else {
                #expect(document["saved"] == nil, comment)
                return
            }
            #expect(progress["total"] == 50 && document["saved"] as? String == "tx.signed.psbt", comment)
            #expect(try workshop.psbt("tx.signed.psbt").inputs.count { $0.isFinal } == progress["done"], comment)
        }
    }
}

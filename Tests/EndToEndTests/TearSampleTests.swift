import Foundation
import TapSimulator
import TestSupport
import Testing

/// A sample of the tear matrix through the real PC/SC service, drawn by a seed: the card pulled, another one laid down in
/// its place, `tapkit` killed, or the service killed and started again at some exchange of a verb. What comes of it is what
/// comes of it undisturbed.
@Suite struct TearSampleTests {
    private static let jobs: [CardJob] = [.setup, .changeCVC, .backup, .derive, .unseal, .sign]

    /// What happens.
    private enum Fault: String, CaseIterable {
        /// The card is taken away and comes back by itself.
        case pull
        /// The card is taken away, another one is laid down, then the right one.
        case other
        /// `tapkit` is killed, and run again.
        case kill
        /// The service is killed, and started again.
        case service
    }

    @Test func eightCells() async throws {
        var generator = SeededGenerator()
        for number in 0..<8 {
            let job = try #require(Self.jobs.randomElement(using: &generator))
            // Each of them comes up.
            let fault = Fault.allCases[number % Fault.allCases.count]
            let place = Double.random(in: 0..<1, using: &generator)
            let moment = Bool.random(using: &generator) ? "before" : "after"
            try await cell(job, fault, place, moment)
        }
    }

    private func cell(_ job: CardJob, _ fault: Fault, _ place: Double, _ moment: String) async throws {
        let original = try await job.prepare()
        let undisturbed = try Workshop(copying: original)
        let run = try await undisturbed.tapkit(
            job.arguments + ["--trace"], environment: undisturbed.ownStore
        ).succeeded()
        let exchanges = run.errorText.split(separator: "\n").count { $0.hasPrefix("  | > ") }
        let expected = try await job.result(run.json(), undisturbed)

        // Before the first answer any card is the right one.
        let first = fault == .other ? 2 : 1
        let number = first + Int(place * Double(exchanges + 1 - first))
        let workshop = try Workshop(copying: original)
        let comment: Comment = "\(job.testDescription), \(fault) at exchange \(number) of \(exchanges), \(moment)"
        print(comment)
        let serving =
            switch fault {
            case .pull: "--pull-at \(number):\(moment) --back-after 1500"
            case .other: "--pull-at \(number):\(moment)"
            case .kill, .service: ""
            }
        let stranger = try await Workshop()
        let strangersCard = try SimulatedCardRecord(path: stranger.cardFile)
        let arguments = [fault.rawValue, String(number), serving, stranger.cardFile, Subprocess.tapkit] + job.arguments
        try await Subprocess.runApart(
            Self.script, arguments,
            environment: workshop.environment.merging(workshop.ownStore) { $1 }.merging(["TAPKIT_READER": nil]) { $1 },
            directory: workshop.folder.url
        ).succeeded()
        let said = try ["out.json", "err.txt"].map { String(decoding: try workshop.bytes($0), as: UTF8.self) }
        let answer = try #require(
            try JSONSerialization.jsonObject(with: Data(said[0].utf8)) as? [String: Any], "\(comment): \(said)")
        #expect(try await job.result(answer, workshop) == expected, comment)
        #expect(try await StoreLook(at: workshop.folder.path("data")).unfinished.isEmpty, comment)
        let strangersCardAfter = try SimulatedCardRecord(path: stranger.cardFile)
        #expect(strangersCardAfter.cvc == strangersCard.cvc && strangersCardAfter.wrongAttempts == 0, comment)
        #expect(strangersCardAfter.path == strangersCard.path, comment)
        #expect(strangersCardAfter.backups == strangersCard.backups, comment)
    }

    /// What is done in namespaces where the service is the only one. `$1` is the fault, `$2` the number of the exchange,
    /// `$3` options for `sim serve`, `$4` the other card, then comes the command. Nothing tells when `pcscd` has seen a
    /// card: it has a second for the first one, and two for each card after that.
    private static let script = """
        fault=$1 number=$2 serving=$3 stranger=$4; shift 4
        serve() { \(PCSCDaemon.command) >>pcscd.log 2>&1 & service=$!; }
        until_exchange() {
            for try in $(seq 3000); do
                kill -0 $job 2>/dev/null || return 0
                [ "$(grep -c '^  | > ' err.txt)" -ge "$number" ] && return 0
                sleep 0.002
            done
        }
        lay_down() { "$tapkit" sim serve "$@" --vpcd 127.0.0.1:35963 >>serve.log 2>&1 & server=$!; }
        tapkit=$1
        serve
        lay_down card.json $serving
        until grep -q . serve.log; do sleep 0.02; done
        sleep 1
        "$@" --trace --wait=60 >out.json 2>err.txt & job=$!
        case $fault in
        other)
            until_exchange; sleep 0.3
            for card in "$stranger" card.json; do
                kill $server; wait $server; lay_down "$card"; sleep 2
            done;;
        kill)
            until_exchange; kill -9 $job 2>/dev/null
            if ! wait $job; then "$@" --wait=60 >out.json 2>>err.txt & job=$!; else job=; fi;;
        service)
            until_exchange; kill -9 $service; wait $service
            sleep 0.5; serve;;
        esac
        if [ -n "$job" ]; then wait $job; fi; echo $? >status
        kill $server; wait $server; kill $service; wait $service
        grep -qx 0 status || { cat out.json err.txt serve.log >&2; exit 1; }
        """
}

import Bitcoin
import TapSimulator

@testable import TapProtocol

/// Runs a sequence with the client and the simulated card on one side, the model on the other, and compares them after
/// each step.
///
/// Used by one task at a time; calls of the client run on the card's thread while the task waits.
final class SequenceRunner: @unchecked Sendable {
    /// The two cards.
    var places: [CardPlace]
    /// Which of them was laid down last.
    var onReader = 0
    /// Whether it lies there.
    var isThere = true
    /// Which of them the client began with.
    var bound: Int?
    /// Wrong CVCs since the last right one, as the client counts them.
    var wrongTries = 0
    /// CVCs that the card accepted since the client began with it, or has had since its CVC was changed.
    var acceptedCVCs: Set<String> = []
    /// Tries with other CVCs of which the client has not heard what came of them, since the card last accepted one.
    var lostTries = 0
    var tally = Tally()

    let reader: SimulatedReader
    let tap: TapCard
    let wire = WireLog()
    /// What the model says of the call at hand.
    var expectation: Expectation
    /// The digits that are given in the call at hand; `nil` without a CVC.
    var digits: String?

    init(_ setting: SequenceSetting) throws {
        places = try setting.options.map(CardPlace.init)
        expectation = Expectation(outcome: .success, card: places[0].card)
        reader = SimulatedReader(card: places[0].simulated, interceptor: wire)
        tap = TapCard(reader: reader, randomness: SplitMix(setting.seed))
    }

    /// The card that lies on the reader, or lay there last.
    var place: CardPlace {
        get { places[onReader] }
        set { places[onReader] = newValue }
    }

    /// Runs the steps.
    /// - Throws: `FailedStep` at the first disagreement.
    func run(_ steps: [ModelStep]) async throws {
        var next = 0
        while next < steps.count {
            let done = Progress()
            do {
                if case .client = steps[next] {
                    let joined = steps[(next + 1)...].prefix(while: \.isJoined)
                    try await runCalls(steps[next...(next + joined.count)].compactMap(\.call), done)
                } else {
                    try await runOther(steps[next])
                    done.count = 1
                }
            } catch {
                throw FailedStep(index: next + done.count, problem: "\(error)")
            }
            next += done.count
        }
        do { try compareAtTheEnd() } catch { throw FailedStep(index: steps.count - 1, problem: "\(error)") }
    }

    /// Runs calls of the client within one step of a flow, up to the first that breaks the line.
    private func runCalls(_ calls: [(ClientCall, Disturbance?)], _ done: Progress) async throws {
        begin(calls[0])
        do {
            try await tap.perform { [self] session in
                if bound == nil { wrongTries = 0 }
                bound = bound ?? onReader
                for (number, call) in calls.enumerated() {
                    if number > 0 { begin(call) }
                    let error = try perform(call.0, session)
                    try settle(call.0, error.map(Outcome.init) ?? .success)
                    done.count = number + 1
                    if let error, Outcome.breaksLine(error) { throw error }
                    if hasLostLine { return }
                }
            }
        } catch let error as TapError {
            // Of connecting; of a call, it is settled already.
            guard done.count == 0 else { return }
            try settle(calls[0].0, Outcome(error))
            done.count = 1
        }
    }

    /// How many steps of a flow are done.
    private final class Progress: @unchecked Sendable { var count = 0 }
}

/// A step after which the model and the code under test disagree.
struct FailedStep: Error {
    let index: Int
    let problem: String
}

extension ModelStep {
    fileprivate var call: (ClientCall, Disturbance?)? {
        if case .client(let call, let disturbance, _) = self { (call, disturbance) } else { nil }
    }

    fileprivate var isJoined: Bool {
        if case .client(_, _, let isJoined) = self { isJoined } else { false }
    }
}

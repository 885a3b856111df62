import TapSimulator
import TestSupport
import Testing

/// Random sequences of commands with the client, the simulated card and the model.
///
/// The model is written from the protocol alone. It says of each call how it ends, of each exchange what the card
/// answers, and what the card's state is afterwards.
@Suite struct CommandSequenceTests {
    static let sequences = 129
    static let length = 72

    @Test func clientAndCardNeverDisagreeWithTheModel() async throws {
        var random = SeededGenerator()
        let seed = random.next()
        var kinds: [(SimulatedProduct, SimulatorVersion)] = []
        for product in SimulatedProduct.allCases {
            for version in SimulatorVersion.allCases {
                kinds.append((product, version))
            }
        }
        let tally = try await withThrowingTaskGroup(of: Tally.self) { group in
            for (number, kind) in kinds.enumerated() {
                group.addTask {
                    try await LongWork.inTurn { try await Self.run(kind, number: number, seed: seed) }
                }
            }
            return try await group.reduce(into: Tally()) { $0.add($1) }
        }
        print("\(tally.total) steps: \(Tally.text(tally.steps))")
        print("outcomes: \(Tally.text(tally.outcomes))")
        #expect(tally.total >= 100_000)
        #expect(tally.missing.isEmpty)
    }

    /// Every sequence with one product and version.
    private static func run(
        _ kind: (SimulatedProduct, SimulatorVersion), number kindNumber: Int, seed: UInt64
    ) async throws -> Tally {
        var tally = Tally()
        for sequence in 0..<Self.sequences {
            let number = kindNumber * Self.sequences + sequence
            var mixed = SplitMix(seed ^ UInt64(number))
            let setting = SequenceSetting(kind.0, kind.1, seed: mixed.next())
            var generator = StepGenerator(product: kind.0, seed: setting.seed)
            let steps = generator.steps(Self.length)
            do {
                let runner = try SequenceRunner(setting)
                try await runner.run(steps)
                tally.add(runner.tally)
            } catch let failure as FailedStep {
                let report = try await Shrinker(setting: setting).report(steps, failure)
                Issue.record("Sequence \(number), \(kind.0.rawValue) \(kind.1.rawValue): \(report)")
                return tally
            }
        }
        return tally
    }
}

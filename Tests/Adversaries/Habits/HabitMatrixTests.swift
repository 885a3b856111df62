import FlowSupport
import TapSimulator
import TestSupport
import Testing

/// A genuine card that differs from its documents is a genuine card: every flow of every product, with every two habits
/// that a card can have, gives what it gives on the card without habits.
@Suite struct HabitMatrixTests {
    @Test(arguments: HabitStage.allCases) func everyFlowGivesTheSame(stage: HabitStage) async throws {
        try await LongWork.inTurn {
            let original = try await stage.bench()
            var runs = 0
            for flow in stage.flows {
                let expected = try await flow.run(try original.copy(habits: []))
                for habits in HabitCombinations.all {
                    let names = habits.map(\.rawValue).sorted().joined(separator: ", ")
                    do {
                        let result = try await flow.run(try original.copy(habits: habits))
                        #expect(result == expected, "\(stage), \(flow.name): \(names)")
                    } catch { Issue.record("\(stage), \(flow.name): \(names): \(error)") }
                    runs += 1
                }
            }
            print(
                "Habits, \(stage): \(stage.flows.count) flows, \(HabitCombinations.all.count) combinations, \(runs) runs"
            )
        }
    }

    @Test func everyTwoHabitsMeet() {
        let pairs = HabitCombinations.pairs
        #expect(pairs.count > 800)
        for pair in pairs {
            #expect(HabitCombinations.pairwise.contains { pair.isMet(in: $0) })
        }
        #expect(HabitCombinations.all.allSatisfy(CardHabit.canBeTogether))
    }
}

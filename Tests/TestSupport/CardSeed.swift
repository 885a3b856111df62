import Synchronization
import Testing

/// What simulated cards that tests have made draw their keys from: the same in every run, and another for each card.
///
/// Cards are counted within the test that has them made, and within its case: it does not matter what runs beside it.
public enum CardSeed {
    private static let counts = Mutex<[String: Int]>([:])

    /// The generator of the next card of the test that is running.
    public static func next() -> SeededGenerator {
        let owner = owner()
        let number = counts.withLock { counts in
            counts[owner, default: 0] += 1
            return counts[owner, default: 0]
        }
        return SeededGenerator(for: "\(owner), card \(number)")
    }

    /// The test, and of the case what distinguishes it from the test's others.
    private static func owner() -> String {
        guard let test = Test.current else { return "no test" }
        let name = "\(test.sourceLocation.fileID) \(test.name)"
        guard let testCase = Test.Case.current, testCase.isParameterized else { return name }
        // The library keeps a case's arguments to itself, but for its description.
        var digest = SeededGenerator(for: "\(testCase)", seed: 0)
        return "\(name), case \(String(digest.next(), radix: 36))"
    }
}

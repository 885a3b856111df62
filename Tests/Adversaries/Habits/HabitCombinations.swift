import TapSimulator
import TestSupport

/// Which habits a card may have at once.
///
/// All combinations would be about two million; every two habits that one card can have do meet in one of these, and so
/// does each habit alone, and as many as one card can have.
enum HabitCombinations {
    /// Each habit alone.
    static let single = CardHabit.allCases.map { Set([$0]) }

    /// Sets in which every two habits that can be together meet, with and without each other.
    static let pairwise: [Set<CardHabit>] = {
        var generator = SeededGenerator(for: "habits, two by two")
        var missing = Set<Pair>(pairs)
        var sets: [Set<CardHabit>] = []
        while !missing.isEmpty {
            // Of some drawn sets, the one in which the most pairs meet that have not met yet.
            let candidates = (0..<40).map { _ in drawn(covering: missing.min(), using: &generator) }
            guard let best = candidates.max(by: { met(missing, in: $0) < met(missing, in: $1) }) else { break }
            missing = missing.filter { !$0.isMet(in: best) }
            sets.append(best)
        }
        return sets
    }()

    /// The emulator's habits, and every habit that one card can have beside others, in three ways.
    static let crowds: [Set<CardHabit>] = {
        let rivals: [[CardHabit]] = [
            [.header27, .oneCertificate, .versionSuffix], [.header31, .threeCertificates, .unreadableVersion],
            [.header35, .oneCertificate, .unreadableVersion],
        ]
        let free = CardHabit.allCases.filter { habit in
            rivals.allSatisfy { !$0.contains(habit) } && habit != .threeCertificates
        }
        return [[.header31, .highR, .zerosInCheck, .derivedKeySigns]] + rivals.map { Set(free + $0) }
    }()

    /// No habits, then all of the above.
    static let all: [Set<CardHabit>] = [[]] + single + crowds + pairwise

    /// Two habits, each there or not.
    struct Pair: Hashable, Comparable {
        let first: CardHabit
        let second: CardHabit
        let hasFirst: Bool
        let hasSecond: Bool

        func isMet(in set: Set<CardHabit>) -> Bool {
            set.contains(first) == hasFirst && set.contains(second) == hasSecond
        }

        private var order: String { "\(first.rawValue) \(second.rawValue) \(hasFirst) \(hasSecond)" }

        static func < (left: Pair, right: Pair) -> Bool { left.order < right.order }
    }

    /// Every two habits, in every way in which one card can have them.
    static let pairs: [Pair] = {
        let habits = CardHabit.allCases
        return habits.indices.flatMap { first in
            habits[(first + 1)...].flatMap { second in
                [(true, true), (true, false), (false, true), (false, false)].map {
                    Pair(first: habits[first], second: second, hasFirst: $0.0, hasSecond: $0.1)
                }
            }
        }.filter { !($0.hasFirst && $0.hasSecond) || CardHabit.canBeTogether([$0.first, $0.second]) }
    }()

    private static func met(_ pairs: Set<Pair>, in set: Set<CardHabit>) -> Int { pairs.count { $0.isMet(in: set) } }

    /// A set that one card can have, in which a pair meets.
    private static func drawn(covering pair: Pair?, using generator: inout SeededGenerator) -> Set<CardHabit> {
        var set: Set<CardHabit> = []
        if let pair {
            if pair.hasFirst { set.insert(pair.first) }
            if pair.hasSecond { set.insert(pair.second) }
        }
        for habit in CardHabit.allCases.shuffled(using: &generator)
        where habit != pair?.first && habit != pair?.second && Bool.random(using: &generator) {
            if CardHabit.canBeTogether(set.union([habit])) { set.insert(habit) }
        }
        return set
    }
}

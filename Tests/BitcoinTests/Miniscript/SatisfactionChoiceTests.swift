import TestSupport
import Testing

@testable import Bitcoin

/// The choice among parts of `thresh` is that of a search through every choice.
@Suite struct SatisfactionChoiceTests {
    /// One choice: which parts are satisfied.
    private struct Choice {
        let satisfied: Set<Int>
        let ways: [Satisfaction]

        var isPossible: Bool { ways.allSatisfy(\.isPossible) }
        var isFree: Bool { ways.allSatisfy(\.isFree) }
        var isMalleable: Bool { ways.contains(where: \.isMalleable) }
        var size: Int { ways.reduce(0) { $0 + $1.size } }
    }

    private static func choices(_ parts: [SatisfactionChoice.Ways]) -> [Choice] {
        (0..<1 << parts.count).map { bits in
            let satisfied = Set(parts.indices.filter { bits >> $0 & 1 == 1 })
            return Choice(
                satisfied: satisfied,
                ways: parts.indices.map { satisfied.contains($0) ? parts[$0].satisfied : parts[$0].dissatisfied })
        }
    }

    /// Whether whoever sees a choice can make another one of it, without a signature that it does not show.
    private static func leads(_ one: Choice, to other: Choice) -> Bool {
        one.satisfied != other.satisfied
            && one.satisfied.symmetricDifference(other.satisfied).allSatisfy { other.ways[$0].isFree }
    }

    /// - Parameter takesSignaturesToDissatisfy: whether there are such parts, which `thresh` has only when keys are unknown.
    private static func parts(
        _ random: inout SeededGenerator, takesSignaturesToDissatisfy: Bool
    ) -> [SatisfactionChoice.Ways] {
        func way(signs: Bool, isPossible: Bool, isMalleable: Bool, _ length: Int) -> Satisfaction {
            guard isPossible else { return .impossible }
            let item = [UInt8](repeating: 1, count: length)
            let way = signs ? Satisfaction(signature: item) : Satisfaction(item: item)
            return isMalleable ? way.malleable : way
        }
        return (0..<1 + random.next(below: 6)).map { _ in
            (
                way(
                    signs: takesSignaturesToDissatisfy && random.next(below: 3) == 0,
                    isPossible: random.next(below: 12) != 0, isMalleable: random.next(below: 12) == 0,
                    random.next(below: 40)),
                way(
                    signs: random.next(below: 4) != 0, isPossible: random.next(below: 8) != 0,
                    isMalleable: random.next(below: 8) == 0, random.next(below: 40))
            )
        }
    }

    @Test func nothingIsSmallerOrSaferThanWhatIsChosen() {
        var random = SeededGenerator()
        var (safe, malleable, impossible) = (0, 0, 0)
        for _ in 0..<5_000 {
            let parts = Self.parts(&random, takesSignaturesToDissatisfy: false)
            let threshold = 1 + random.next(below: parts.count)
            let choices = Self.choices(parts).filter { $0.satisfied.count == threshold }
            let found = SatisfactionChoice(threshold, of: parts).satisfied

            let possible = choices.filter(\.isPossible)
            #expect(found.isPossible == !possible.isEmpty)
            impossible += possible.isEmpty ? 1 : 0
            guard !possible.isEmpty else { continue }
            let free = possible.filter(\.isFree)
            #expect(found.isFree == !free.isEmpty)
            // Whoever sees a choice with a signature can take one without instead.
            let best = (free.isEmpty ? possible : free).filter { choice in
                !choice.isMalleable && !choices.contains { Self.leads(choice, to: $0) }
            }
            #expect(found.isMalleable == best.isEmpty)
            if !found.isMalleable { #expect(found.size == best.map(\.size).min()) }
            safe += best.isEmpty ? 0 : 1
            malleable += best.isEmpty ? 1 : 0
        }
        #expect(min(safe, malleable, impossible) > 500)
    }

    /// With parts that only a signature dissatisfies, too, nothing is called safe that is not.
    @Test func nothingIsCalledSafeThatOthersCanAlter() {
        var random = SeededGenerator()
        var safe = 0
        for _ in 0..<5_000 {
            let parts = Self.parts(&random, takesSignaturesToDissatisfy: true)
            let threshold = 1 + random.next(below: parts.count)
            let choices = Self.choices(parts).filter { $0.satisfied.count == threshold }
            let found = SatisfactionChoice(threshold, of: parts).satisfied
            #expect(found.isFree == choices.contains(where: \.isFree))
            guard found.isPossible, !found.isMalleable else { continue }
            safe += 1
            let same = choices.filter { choice in
                choice.isPossible && choice.size == found.size && !choice.isMalleable
                    && !choices.contains { Self.leads(choice, to: $0) }
            }
            #expect(!same.isEmpty)
        }
        #expect(safe > 500)
    }

    @Test(arguments: [false, true]) func otherNumbersDissatisfy(_ takesSignaturesToDissatisfy: Bool) {
        var random = SeededGenerator()
        var (safe, malleable) = (0, 0)
        for _ in 0..<5_000 {
            let parts = Self.parts(&random, takesSignaturesToDissatisfy: takesSignaturesToDissatisfy)
            let threshold = 1 + random.next(below: parts.count)
            let choices = Self.choices(parts).filter { $0.satisfied.count != threshold }
            let found = SatisfactionChoice(threshold, of: parts).dissatisfied
            let hasOther = choices.contains { $0.isFree && !$0.satisfied.isEmpty }
            #expect(found.isFree == choices.contains(where: \.isFree))
            if hasOther {
                #expect(found.isMalleable)
                malleable += 1
            } else {
                let none = choices[0]
                #expect(found.isPossible == none.isPossible)
                if none.isPossible { #expect((found.size, found.isMalleable) == (none.size, none.isMalleable)) }
                safe += none.isPossible && !none.isMalleable ? 1 : 0
            }
        }
        #expect(min(safe, malleable) > 500)
    }
}

import ByteCodec
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
        var stack: [[UInt8]] { ways.reversed().flatMap(\.stack) }
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
        var count: UInt8 = 0
        func way(signs: Bool, isPossible: Bool, isMalleable: Bool, _ length: Int) -> Satisfaction {
            guard isPossible else { return .impossible }
            count += 1
            // No two are the same.
            let item = [count] + [UInt8](repeating: 0, count: length)
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
            if !found.isMalleable {
                let smallest = best.map(\.size).min()
                #expect(best.contains { $0.size == smallest && $0.stack == found.stack })
            }
            safe += best.isEmpty ? 0 : 1
            malleable += best.isEmpty ? 1 : 0
        }
        #expect(min(safe, malleable, impossible) > 500)
    }

    /// A part that anybody can satisfy who sees its preimages is satisfied, although a signature would be smaller: else
    /// somebody could put it in a signature's place.
    @Test func whatAnybodyCanSatisfyIsSatisfied() async throws {
        let hashes = (0..<3).map { "sha256(\(Hex.encode(SHA256.hash(RandomMiniscript.preimage(UInt8($0))))))" }
        let free = "and_v(v:\(hashes[0]),and_v(v:\(hashes[1]),and_v(v:\(hashes[2]),older(1))))"
        var jury = ScriptJury()
        var random = SeededGenerator()
        for parts in [
            "ln:\(free),s:pk(0),s:pk(1)", "pk(0),aln:\(free),s:pk(1)", "pk(0),s:pk(1),aln:\(free)",
        ] {
            let expression = try Miniscript<Int>(parsing: "thresh(2,\(parts))") { key throws(MiniscriptError) in
                guard let number = Int(key) else { throw .malformed }
                return number
            }
            #expect(expression.fault(comparing: { $0 }) == nil)
            let path = try #require(SpendingPolicy(expression).paths?.first { !$0.preimages.isEmpty })
            let means = MiniscriptMeans(of: path, using: &random).signed(by: 0..<2)
            let spend = MiniscriptSpend(expression, keys: RandomMiniscript.keys, means: means)
            let witness = try #require(spend.witness)
            #expect(witness.count { $0.count == PreimageHash.preimageLength } == 3)
            #expect(witness.count { $0.count > 60 } == 1)
            spend.expectValid(witness, before: &jury)
        }
        try await jury.agree()
    }

    /// With parts that only a signature dissatisfies, too, nothing is called safe that is not.
    @Test func nothingIsCalledSafeThatOthersCanAlter() throws {
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
            let choice = try #require(choices.first { $0.isPossible && $0.stack == found.stack })
            #expect(!choice.isMalleable && !choices.contains { Self.leads(choice, to: $0) })
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
            let none = choices[0]
            #expect(found.isFree == choices.contains(where: \.isFree))
            guard !choices.contains(where: { $0.isFree && !$0.satisfied.isEmpty }) else {
                #expect(found.isMalleable)
                malleable += 1
                continue
            }
            #expect(found.isPossible == none.isPossible)
            guard none.isPossible else { continue }
            #expect(found.isMalleable == (none.isMalleable || choices.contains { Self.leads(none, to: $0) }))
            #expect(found.stack == none.stack)
            safe += found.isMalleable ? 0 : 1
        }
        #expect(min(safe, malleable) > 500)
    }
}

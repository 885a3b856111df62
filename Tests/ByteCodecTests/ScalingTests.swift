import TestSupport
import Testing

/// The measure by which all parsers are judged: what grows with the square of its input is noticed, what does not passes.
@Suite struct ScalingTests {
    @Test func whatGrowsWithTheSquareIsNoticed() throws {
        let excess = try Scaling.excess { size in
            Array(0..<size)
        } work: { numbers in
            var sum = 0
            for one in numbers { for other in numbers { sum &+= one &* other } }
            #expect(sum >= 0)
        }
        #expect(excess != nil)
    }

    /// As where something is taken from the front of an array, or looked for in one, again and again: a little for each.
    @Test func aLittleOfTheSquareIsNoticed() throws {
        let excess = try Scaling.excess(from: 256) { size in
            Array(0..<size)
        } work: { numbers in
            var seen: [Int] = []
            for number in numbers where !seen.contains(number) { seen.append(number) }
            #expect(seen.count == numbers.count)
        }
        #expect(excess != nil)
    }

    @Test func sortingPasses() throws {
        var random = SeededGenerator()
        try Scaling.expectLinear("numbers to sort") { size in
            (0..<size).map { _ in random.next() }
        } work: { numbers in
            #expect(numbers.sorted().count == numbers.count)
        }
    }
}

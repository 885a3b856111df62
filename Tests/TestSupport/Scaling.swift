import Glibc
import Testing

/// Whether work grows no faster than what it is given: whoever sends a thing twice as large costs twice the time, not four
/// times.
///
/// What is measured is the processor's time of the test's own thread, so that a busy machine changes little: the least of
/// several runs, a size and its double by turns. Work on other threads does not count.
public enum Scaling {
    /// The most that doubling the input may multiply the time by: 2, and what sorting, memory and chance add.
    private static let largestFactor = 2.5
    /// From here on there is no doubt.
    private static let clearFactor = 3.2
    /// What one measurement takes at least, in seconds.
    private static let shortest = 0.001
    /// No size that takes longer is doubled further, in seconds.
    private static let longest = 0.05
    private static let fewestRounds = 4
    private static let mostRounds = 12

    /// Expects that work on an input twice as large takes at most 2.5 times as long.
    /// - Parameters:
    ///   - what: what grows, for the message.
    ///   - start: the smallest size that is tried; sizes are doubled until the work takes long enough to be measured.
    ///   - most: the largest size that is tried, where a format has a bound.
    ///   - input: makes an input of a size; not measured.
    ///   - work: what is measured.
    public static func expectLinear<Input>(
        _ what: String, from start: Int = 64, upTo most: Int = 1 << 20,
        sourceLocation: SourceLocation = #_sourceLocation, input: (Int) throws -> Input, work: (Input) throws -> Void
    ) throws {
        guard let excess = try excess(from: start, upTo: most, input: input, work: work) else { return }
        Issue.record("\(what): time grows faster than size (\(excess))", sourceLocation: sourceLocation)
    }

    /// The sizes and times at which twice the input took more than 2.5 times as long; `nil` when it does not.
    public static func excess<Input>(
        from start: Int = 64, upTo most: Int = 1 << 20, input: (Int) throws -> Input, work: (Input) throws -> Void
    ) throws -> String? {
        var size = start
        var small = try input(size)
        while try time(1, small, work) < shortest, 4 * size <= most {
            size *= 2
            small = try input(size)
        }
        var found: [String] = []
        while true {
            let large = try input(2 * size)
            let (once, twice) = try compare(small, large, work)
            if twice <= largestFactor * once { return nil }
            found.append("\(size): \(Int(once * 1e6)) µs, \(2 * size): \(Int(twice * 1e6)) µs")
            // What only happens to be dearer at one size, such as larger pages of memory, is not at the next.
            guard found.count < 3, 4 * size <= most, twice < longest else { return found.joined(separator: "; ") }
            size *= 2
            small = large
        }
    }

    /// The least times of both, in seconds.
    private static func compare<Input>(
        _ small: Input, _ large: Input, _ work: (Input) throws -> Void
    ) throws -> (Double, Double) {
        // What is bounded too low to take long is done several times.
        let calls = max(1, Int(shortest / max(try time(1, small, work), 1e-7)))
        var (once, twice) = (Double.infinity, Double.infinity)
        for round in 1...mostRounds {
            once = min(once, try time(calls, small, work))
            twice = min(twice, try time(calls, large, work))
            if round >= fewestRounds, twice <= largestFactor * once { break }
            if round >= fewestRounds, twice > clearFactor * once || twice > longest { break }
        }
        return (once, twice)
    }

    private static func time<Input>(_ calls: Int, _ input: Input, _ work: (Input) throws -> Void) throws -> Double {
        let start = threadTime
        for _ in 0..<calls { try work(input) }
        return threadTime - start
    }

    /// The processor's time that this thread has taken, in seconds.
    private static var threadTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

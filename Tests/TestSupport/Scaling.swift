import Glibc
import Testing

/// Whether work grows no faster than what it is given: whoever sends a thing twice as large costs twice the time, not four
/// times.
///
/// An input is doubled up to four times, and the first and the last are compared: so what chance or a cache adds to one of
/// them is small beside what the square of the size would. What is measured is the processor's time of the test's own thread,
/// the least of several runs, small and large by turns. Work on other threads does not count.
public enum Scaling {
    /// The most that doubling the input may multiply the time by: 2, and what sorting, memory and chance add.
    private static let largestFactor = 2.5
    private static let mostDoublings = 4
    /// What one measurement takes at least, in seconds.
    private static let shortest = 0.000_25
    /// What takes longer is not doubled further, and is measured no more often than it must be, in seconds.
    private static let longest = 0.1
    /// What the largest input takes no longer than costs nobody anything: memory that is cold or not makes up most of it.
    private static let negligible = 0.000_1
    private static let fewestRounds = 4
    private static let mostRounds = 12

    /// Expects that each doubling of the input multiplies the time by at most 2.5.
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

    /// Two sizes and their times, when the larger took longer than it may; `nil` when it did not.
    public static func excess<Input>(
        from start: Int = 64, upTo most: Int = 1 << 20, input: (Int) throws -> Input, work: (Input) throws -> Void
    ) throws -> String? {
        var size = start
        var small = try input(size)
        // Where there is a bound, two doublings close to it tell more than four that begin where nothing takes any time.
        while try time(1, small, work) < shortest, 8 * size <= most {
            size *= 2
            small = try input(size)
        }
        var doublings = 1
        var large = try input(2 * size)
        while doublings < mostDoublings, size << (doublings + 1) <= most, try time(1, large, work) < longest {
            doublings += 1
            large = try input(size << doublings)
        }
        var allowed = 1.0
        for _ in 1...doublings { allowed *= largestFactor }
        let (smallTime, largeTime) = try compare(small, large, allowed: allowed, work)
        if largeTime <= max(allowed * smallTime, negligible) { return nil }
        // What leaves a processor's cache on the way gets slower once; what grows faster than its input does so with each
        // doubling, the last two as well.
        for last in (max(1, doublings - 1)...doublings).reversed() {
            let whole = try input(size << last)
            let half = try input(size << (last - 1))
            let (halfTime, wholeTime) = try compare(half, whole, allowed: largestFactor, work)
            if wholeTime <= largestFactor * halfTime { return nil }
        }
        return "\(size): \(Int(smallTime * 1e6)) µs, \(size << doublings): \(Int(largeTime * 1e6)) µs"
    }

    /// The least times of both, in seconds.
    private static func compare<Input>(
        _ small: Input, _ large: Input, allowed: Double, _ work: (Input) throws -> Void
    ) throws -> (Double, Double) {
        // What is bounded too low to take long is done several times.
        let calls = max(1, Int(shortest / max(try time(1, small, work), 1e-7)))
        var (smallTime, largeTime) = (Double.infinity, Double.infinity)
        for round in 1...mostRounds {
            smallTime = min(smallTime, try time(calls, small, work))
            largeTime = min(largeTime, try time(calls, large, work))
            if round >= fewestRounds, largeTime <= allowed * smallTime || largeTime > longest { break }
        }
        return (smallTime / Double(calls), largeTime / Double(calls))
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

import Glibc

/// The work of tests that keep a processor busy for seconds: few at a time, and on threads that let others go first. So
/// tests that wait for cards, programs and services are served in time beside them.
public enum LongWork {
    private static let turnstile = Turnstile(places: 2)
    private static let niceness: Int32 = 10

    /// Runs the body on a thread of low priority when its turn has come. Its expectations count for the test that awaits
    /// it.
    public static func run<Result: Sendable>(
        _ body: @Sendable @escaping () throws -> Result
    ) async throws -> Result {
        try await inTurn {
            try await BlockingThread.run {
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
                return try body()
            }
        }
    }

    /// Runs a body that waits in between, on whatever threads it uses, when its turn has come.
    public static func inTurn<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        await turnstile.enter()
        do {
            let result = try await body()
            await turnstile.leave()
            return result
        } catch {
            await turnstile.leave()
            throw error
        }
    }
}

/// Lets in so many at a time, in the order in which they come.
private actor Turnstile {
    private var freePlaces: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(places: Int) { freePlaces = places }

    func enter() async {
        if freePlaces > 0 {
            freePlaces -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        if waiting.isEmpty { freePlaces += 1 } else { waiting.removeFirst().resume() }
    }
}

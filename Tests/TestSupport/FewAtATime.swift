import Testing

/// For tests that start many programs and wait for none in particular, or that keep many files open: some of them at a time,
/// whichever suite they are of. All at once they would keep a small machine from serving those tests in time that wait for
/// cards and servers, and libnfc, which ends a process in which it gets a descriptor of 1024 or above.
public struct FewAtATime: SuiteTrait, TestTrait, TestScoping {
    fileprivate static let starting = Turnstile(places: 2)
    fileprivate static let holding = Turnstile(places: 8)

    fileprivate let turnstile: Turnstile

    /// Each test and each of its cases, not the suite as a whole.
    public var isRecursive: Bool { true }

    /// Runs a test's case when its turn has come.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await turnstile.pass(function)
    }
}

extension Trait where Self == FewAtATime {
    /// Tests that start programs: two at a time.
    public static var fewAtATime: Self { Self(turnstile: FewAtATime.starting) }
    /// Tests that keep sockets, terminals and threads: eight at a time.
    public static var eightAtATime: Self { Self(turnstile: FewAtATime.holding) }
}

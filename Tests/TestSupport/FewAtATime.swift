import Testing

/// For tests that start many programs and wait for none in particular: two of them at a time, whichever suite they are of.
/// All at once they would keep a small machine from serving those tests in time that wait for cards and servers.
public struct FewAtATime: SuiteTrait, TestTrait, TestScoping {
    private static let turnstile = Turnstile(places: 2)

    /// Each test and each of its cases, not the suite as a whole.
    public var isRecursive: Bool { true }

    /// Runs a test's case when its turn has come.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await Self.turnstile.pass(function)
    }
}

extension Trait where Self == FewAtATime {
    /// See `FewAtATime`.
    public static var fewAtATime: Self { Self() }
}

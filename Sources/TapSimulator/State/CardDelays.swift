/// How long a simulated card takes for what is slow on real cards, in addition to the time this machine needs.
///
/// Spec: protocol, "Commands", `wait`, and "Limits worth knowing".
public struct CardDelays: Sendable, Equatable {
    /// The longest delay allowed, in milliseconds.
    public static let longest = 60_000

    /// The duration of a `wait` command in milliseconds, 0–60 000; 1000 on a real card.
    public var waitMilliseconds = 1_000
    /// The duration of a signing command in milliseconds, 0–60 000; about 300 on a real card.
    public var signMilliseconds = 0

    /// One second for `wait`, none for signatures.
    public init() {}

    /// Creates delays in milliseconds.
    public init(waitMilliseconds: Int, signMilliseconds: Int) {
        self.waitMilliseconds = waitMilliseconds
        self.signMilliseconds = signMilliseconds
    }

    /// The duration of a `wait` command.
    public var wait: Duration { .milliseconds(waitMilliseconds) }
    /// The duration of a signing command.
    public var sign: Duration { .milliseconds(signMilliseconds) }

    /// Whether both are within their range.
    var isPossible: Bool {
        (0...Self.longest).contains(waitMilliseconds) && (0...Self.longest).contains(signMilliseconds)
    }
}

/// How long a simulated card takes for what real cards are slow at, beside what this machine needs for it.
///
/// Spec: protocol, "Commands", `wait`, and "Limits worth knowing".
public struct CardDelays: Sendable, Equatable {
    /// The longest delay that a card may have, in milliseconds.
    public static let longest = 60_000

    /// What a `wait` command takes, in milliseconds, 0–60 000; 1000 on a real card.
    public var waitMilliseconds = 1_000
    /// What a command that makes a signature takes, in milliseconds, 0–60 000; about 300 on a real card.
    public var signMilliseconds = 0

    /// One second for `wait`, nothing for signatures.
    public init() {}

    /// Delays of these milliseconds.
    public init(waitMilliseconds: Int, signMilliseconds: Int) {
        self.waitMilliseconds = waitMilliseconds
        self.signMilliseconds = signMilliseconds
    }

    /// What a `wait` command takes.
    public var wait: Duration { .milliseconds(waitMilliseconds) }
    /// What a command that makes a signature takes.
    public var sign: Duration { .milliseconds(signMilliseconds) }

    /// Whether both are in their range.
    var isPossible: Bool {
        (0...Self.longest).contains(waitMilliseconds) && (0...Self.longest).contains(signMilliseconds)
    }
}

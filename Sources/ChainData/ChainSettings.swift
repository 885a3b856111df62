/// How to talk to a chain server.
public struct ChainSettings: Sendable {
    /// A proxy for every connection: `socks5h://host:port` (the proxy resolves names, as for Tor), `socks5://…` or
    /// `http://…`; `nil`: none, even if the environment names one.
    public var proxy: String?
    /// The longest time to connect.
    public var connectTimeLimit: Duration = .seconds(15)
    /// The longest time from a request to its complete answer.
    public var answerTimeLimit: Duration = .seconds(60)
    /// The longest time for Bitcoin Core to scan all coins.
    public var scanTimeLimit: Duration = .seconds(3600)
    /// The longest time for a Bitcoin Core wallet to scan the blocks.
    public var rescanTimeLimit: Duration = .seconds(86_400)
    /// How often a request is retried after a temporary failure.
    public var retries = 3
    /// The wait before the first retry; it doubles each time, up to 30 s.
    public var firstBackoff: Duration = .milliseconds(500)
    /// The longest wait that a server may ask for (`Retry-After`); longer ones are errors.
    public var longestRetryAfter: Duration = .seconds(60)
    /// How often servers without notifications are polled.
    public var pollInterval: Duration = .seconds(10)
    /// The most bytes in one answer.
    public var longestAnswer = 32_000_000
    /// The most bytes of all answers to one task: everything requested from a source until the next task or the next wait for
    /// a change.
    public var longestConversation = 128_000_000
    /// The most simultaneous requests or connections.
    public var parallelRequests = 16
    /// A file with certificates (PEM) of authorities to trust, in addition to the system's certificates.
    public var authoritiesFile: String?
    /// Stores certificates without an authority; `nil`: they are rejected.
    public var pins: (any CertificatePins)?
    /// The folder with `.bitcoin` and its cookie file; `nil`: no cookie unless the server's address names one.
    public var homeFolder: String?
    /// The start of Bitcoin Core's block scan for scripts that are new to its wallet, in seconds since 1970; 0: from the first
    /// block.
    public var scriptsBirth: UInt32 = 0
    /// Waits; ends early when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// The clock for time limits.
    public var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }

    /// The settings that most callers need; change what differs.
    public init() {}
}

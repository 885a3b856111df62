/// How to talk to a chain server.
public struct ChainSettings: Sendable {
    /// A proxy for every connection: `socks5h://host:port` (names are resolved by the proxy, as for Tor), `socks5://…` or
    /// `http://…`; `nil`: none, whatever the environment says.
    public var proxy: String?
    /// The longest time for a connection to come about.
    public var connectTimeLimit: Duration = .seconds(15)
    /// The longest time from a request to the whole of its answer.
    public var answerTimeLimit: Duration = .seconds(60)
    /// The longest time for Bitcoin Core to look through all coins.
    public var scanTimeLimit: Duration = .seconds(3600)
    /// The longest time for a wallet of Bitcoin Core's to look through the blocks.
    public var rescanTimeLimit: Duration = .seconds(86_400)
    /// How often a request is made again after a failure that may pass.
    public var retries = 3
    /// The wait before the first repetition; it doubles each time, up to 30 s.
    public var firstBackoff: Duration = .milliseconds(500)
    /// The longest wait that a server may ask for (`Retry-After`); longer ones are errors.
    public var longestRetryAfter: Duration = .seconds(60)
    /// How often servers without notifications are asked for changes.
    public var pollInterval: Duration = .seconds(10)
    /// The most bytes of one answer.
    public var longestAnswer = 32_000_000
    /// The most bytes of all answers to one task: all that is asked of a source, up to the next task or wait
    /// for a change.
    public var longestConversation = 128_000_000
    /// The most requests or connections at a time.
    public var parallelRequests = 16
    /// A file with certificates (PEM) of authorities to trust beside those in the system's folder of certificates.
    public var authoritiesFile: String?
    /// Remembers certificates without authority; `nil`: they are refused.
    public var pins: (any CertificatePins)?
    /// Where `.bitcoin` with the cookie file is looked for; `nil`: no cookie unless the server's address names one.
    public var homeFolder: String?
    /// From when on Bitcoin Core looks through the blocks for scripts that are new to its wallet, in seconds since 1970; 0:
    /// from the first block.
    public var scriptsBirth: UInt32 = 0
    /// Waits; ends early when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// The time, for limits of waiting.
    public var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }

    /// The settings that most need; change what is different.
    public init() {}
}

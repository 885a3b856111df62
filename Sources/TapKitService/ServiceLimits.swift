/// Limits on everything that clients send, ask for and leave unread. Each error names the limit that it reached.
package struct ServiceLimits: Sendable {
    /// The longest line, in bytes: a PSBT with ten thousand inputs fits.
    package var lineLength = 16 << 20
    /// How deeply JSON may be nested.
    package var depth = 16
    /// The most values in one line, counted at all levels.
    package var valueCount = 10_000
    /// The most messages in one batch.
    package var batchSize = 16
    /// The most calls of one client that are not answered yet.
    package var callsInFlight = 16
    /// The most clients at once.
    package var clientCount = 32
    /// The most subscriptions of one client.
    package var subscriptionCount = 4
    /// The most bytes for one client that it has not read yet; beyond, it is disconnected.
    package var unreadBytes = 64 << 20
    /// How long the rest of a line may take, once its first byte has come.
    package var lineTime = Duration.seconds(30)
    /// How long a client may read nothing of what waits for it.
    package var readingTime = Duration.seconds(60)
    /// How long a client may take to answer a question.
    package var answerTime = Duration.seconds(300)
    /// The most leases at once.
    package var leaseCount = 16

    /// The usual limits.
    package init() {}
}

import SmartCard

/// The card on one reader. Runs on its own thread, so that its blocking calls delay nobody else.
///
/// It stays with the first card it sees: a different one is refused until `disconnect`.
public actor TapCard {
    private let reader: any CardReader
    private let thread = CardThread()
    private let connection: CardConnection
    private let randomness: any RandomNumberGenerator & Sendable
    private let trace: (@Sendable (TraceEvent) -> Void)?
    private var session: TapSession?

    /// The reader's thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Creates a card for a reader; connects to nothing yet.
    /// - Parameters:
    ///   - randomness: where ephemeral keys and nonces come from.
    ///   - trace: receives every exchange, secrets masked, on the reader's thread.
    public init(
        reader: any CardReader, randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        trace: (@Sendable (TraceEvent) -> Void)? = nil
    ) {
        self.reader = reader
        self.randomness = randomness
        self.trace = trace
        connection = CardConnection(reader: reader, trace: trace)
    }

    /// Runs one step of a flow with exclusive use of the card: no other caller of this actor, and no other program as far
    /// as the reader can prevent it. Others wait meanwhile, so a step never waits for a person.
    ///
    /// Connects and selects if necessary. A card that lost power or was put back is selected again and compared.
    /// - Parameter step: must not keep the session.
    /// - Throws: what `step` throws, and `TapError`: `.reader` if the card was lost (whether the current command ran is
    ///   then unknown), `.anotherCard`, `.notATapCard`, ….
    public func perform<Value: Sendable>(_ step: @Sendable (TapSession) throws -> Value) throws -> Value {
        let mustSelect = try connection.begin()
        defer { connection.end() }
        do {
            return try step(try openSession(mustSelect: mustSelect))
        } catch {
            if let error = error as? TapError, error.breaksConnection { connection.drop() }
            throw error
        }
    }

    /// The longest time that a wait delays other callers' steps.
    private static let longestWait = Duration.seconds(2)

    /// Waits until there is a card on the reader, or until there is none. Cancelling the task ends the wait.
    /// - Parameter timeout: the longest wait; `nil` means no limit.
    /// - Throws: `TapError.reader`: `.timedOut`, `.readerGone`, …; `CancellationError`.
    public func waitForCard(isPresent: Bool = true, timeout: Duration? = nil) async throws {
        var left = timeout
        while true {
            try Task.checkCancellation()
            let slice = min(Self.longestWait, left ?? Self.longestWait)
            do throws(ReaderError) {
                return try await wait(isPresent: isPresent, upTo: slice).get()
            } catch {
                try Task.checkCancellation()
                guard error.kind == .timedOut, left != slice else { throw TapError.reader(error) }
                left = left.map { $0 - slice }
                await Task.yield()
            }
        }
    }

    private func wait(isPresent: Bool, upTo limit: Duration) async -> Result<Void, ReaderError> {
        let reader = reader
        return await withTaskCancellationHandler {
            do throws(ReaderError) {
                return .success(try reader.waitForCard(isPresent: isPresent, timeout: limit))
            } catch { return .failure(error) }
        } onCancel: {
            reader.cancelWaiting()
        }
    }

    /// Releases the card and forgets it; the next one may be different.
    public func disconnect() {
        connection.drop()
        session = nil
    }

    private func openSession(mustSelect: Bool) throws(TapError) -> TapSession {
        guard let session else {
            let new = try TapSession(connection: connection, random: randomness, trace: trace)
            session = new
            return new
        }
        if mustSelect { try session.selectAgain() } else { session.noteInterval() }
        return session
    }
}

extension TapError {
    /// Whether the connection to the card must be reopened before the next step.
    fileprivate var breaksConnection: Bool {
        switch self {
        case .reader, .notATapCard, .anotherCard, .statusWord: true
        default: false
        }
    }
}

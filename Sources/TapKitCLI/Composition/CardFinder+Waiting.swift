import CardReaders
import ExplainedErrors
import SmartCard

extension CardFinder {
    /// Between two looks when what is wrong may pass without the readers telling: another program holds the card, or it
    /// lies badly.
    private static let pause = Duration.milliseconds(500)
    /// Between two looks when the readers tell; should one of them not have told, nobody waits for ever.
    private static let longPause = Duration.seconds(5)

    /// The card, as soon as it is there: looked for whenever something happens at the readers.
    /// - Throws: `Failure`: `.timedOut`, `.interrupted`, and what cannot be waited off.
    func wait(_ waiting: Waiting, console: Console) async throws(Failure) -> CardAccess {
        let look: @Sendable () async throws(Failure) -> CardAccess = { () async throws(Failure) in try await find() }
        return try await wait(waiting, console: console, saying: "Lay the card on the reader…", look)
    }

    /// What `look` brings, as soon as it does; asked whenever something happens at the readers.
    /// - Parameter invitation: what people are asked to do.
    /// - Throws: `Failure`: `.timedOut`, `.interrupted`, and what cannot be waited off.
    func wait<Found>(
        _ waiting: Waiting, console: Console, saying invitation: String,
        _ look: () async throws(Failure) -> Found
    ) async throws(Failure) -> Found {
        let deadline = waiting.limit.map { ContinuousClock.now.advanced(by: $0) }
        var obstacle: Failure
        do throws(Failure) { return try await look() } catch { obstacle = error }
        guard obstacle.code.passesWithTime else { throw obstacle }
        var told: Set<String> = []
        tell(obstacle, &told, console)
        console.note(invitation)

        let changes = ReaderChanges(events())
        while obstacle.code.passesWithTime {
            let left = deadline.map { ContinuousClock.now.duration(to: $0) }
            if let left, left <= .zero {
                throw Failure(.timedOut, "No card came in time. \(obstacle.message)", hint: obstacle.hint)
            }
            let pause = obstacle.code.isToldByReaders ? Self.longPause : Self.pause
            guard await changes.next(within: left.map { min($0, pause) } ?? pause) else { throw .interrupted }
            do throws(Failure) { return try await look() } catch { obstacle = error }
            if obstacle.code.passesWithTime { tell(obstacle, &told, console) }
        }
        throw obstacle
    }

    /// Says what else than the card is missing, each thing once.
    private func tell(_ obstacle: Failure, _ told: inout Set<String>, _ console: Console) {
        let isMoreThanNoCard = obstacle.code != .noCard || identFilter != nil
        guard isMoreThanNoCard, told.insert(obstacle.message).inserted else { return }
        console.note(lines: obstacle.lines)
        if obstacle.code != .noCard, !obstacle.hint.isEmpty { console.note("  " + obstacle.hint) }
    }

    /// What happens at the readers that were asked for.
    func events() -> AsyncStream<ReaderEvent> {
        switch spec {
        case .pcsc: PCSCBackend().events()
        case .nfc(let connection?): NFCReader(connection).events()
        case .nfc(nil): NFCBackend().events()
        // A file tells nothing more; whoever waits looks at it again in a while.
        case .simulated(let file):
            AsyncStream { continuation in
                continuation.yield(.readerAttached(spec: "sim:\(file)"))
                continuation.yield(.cardInserted(spec: "sim:\(file)"))
            }
        }
    }
}

extension ErrorCode {
    /// Whether an event of the readers tells when this obstacle is gone.
    fileprivate var isToldByReaders: Bool {
        switch self {
        case .noCard, .noReader, .noService, .readerGone: true
        default: false
        }
    }
}

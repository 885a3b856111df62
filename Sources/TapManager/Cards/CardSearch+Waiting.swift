import ExplainedErrors

extension CardSearch {
    /// Between two looks when what is wrong may pass without the readers telling: another program holds the card, or it
    /// lies badly.
    private static let pause = Duration.milliseconds(500)
    /// Between two looks when the readers tell; should one of them not have told, nobody waits for ever.
    private static let longPause = Duration.seconds(5)

    /// What `look` brings, as soon as it does: asked now, and then whenever something happens at the readers.
    /// - Parameters:
    ///   - patience: how long to wait; `nil`: not at all.
    ///   - missing: what is waited for.
    ///   - request: what people are asked to do.
    ///   - tell: called for what they are asked to do, and each time that something else stands in the way.
    /// - Throws: `CardSearchError`: `.timedOut`, `.interrupted`, and what cannot be waited off.
    func waiting<Found>(
        _ patience: Patience?, for missing: CardSearchError.Missing = .card, _ request: HandRequest,
        tell: (Notice) -> Void, _ look: () async throws(CardSearchError) -> Found
    ) async throws(CardSearchError) -> Found {
        let deadline = patience?.limit.map { ContinuousClock.now.advanced(by: $0) }
        var obstacle: CardSearchError
        do throws(CardSearchError) { return try await look() } catch { obstacle = error }
        guard patience != nil, obstacle.passesWithTime else { throw obstacle }
        var told: Set<String> = []
        if isWorthTelling(obstacle, &told) { tell(.obstacle(obstacle)) }
        tell(.request(request))

        let changes = ReaderChanges(events())
        while obstacle.passesWithTime {
            let left = deadline.map { ContinuousClock.now.duration(to: $0) }
            if let left, left <= .zero { throw .timedOut(missing, obstacle) }
            let pause = obstacle.isToldByReaders ? Self.longPause : Self.pause
            guard await changes.next(within: left.map { min($0, pause) } ?? pause) else { throw .interrupted }
            do throws(CardSearchError) { return try await look() } catch { obstacle = error }
            if obstacle.passesWithTime, isWorthTelling(obstacle, &told) { tell(.obstacle(obstacle)) }
        }
        throw obstacle
    }

    /// Whether it says more than that the card is missing, which people are asked for anyway, and was not told yet.
    private func isWorthTelling(_ obstacle: CardSearchError, _ told: inout Set<String>) -> Bool {
        (obstacle.code != .noCard || choice != .any) && told.insert(obstacle.message).inserted
    }
}

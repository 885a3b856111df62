import ExplainedErrors

extension CardSearch {
    /// The time between two looks if a problem may pass without an event of the readers: another program is using the
    /// card, or it is not positioned well.
    private static let pause = Duration.milliseconds(500)
    /// The time between two looks if the readers report changes; a missed event must not cause an endless wait.
    private static let longPause = Duration.seconds(5)

    /// The first result of `look`, which is called at once, and then whenever something happens at the readers.
    /// - Parameters:
    ///   - patience: how long to wait; `nil`: not at all.
    ///   - missing: what is waited for.
    ///   - request: what the user is asked to do.
    ///   - tell: called with the request, and for each new obstacle.
    /// - Throws: `CardSearchError`: `.timedOut`, `.interrupted`, and obstacles that waiting cannot remove.
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

    /// Whether it is more than that the card is missing, which the request says anyway, and has not been reported yet.
    private func isWorthTelling(_ obstacle: CardSearchError, _ told: inout Set<String>) -> Bool {
        (obstacle.code != .noCard || choice != .any) && told.insert(obstacle.message).inserted
    }
}

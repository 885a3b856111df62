import TapSimulator

/// `--pull-at` and `--back-after`.
extension SimServeVerb {
    /// Parses `--pull-at`, and checks `--back-after`.
    func plannedPull() throws(Failure) -> PlannedPull? {
        guard (0...CardDelays.longest).contains(backAfter ?? 0) else {
            throw Failure(.usage, "--back-after takes 0 to \(CardDelays.longest) milliseconds.")
        }
        guard let pullAt else { return nil }
        let parts = pullAt.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), number > 0,
            let moment = PlannedPull.Moment(rawValue: String(parts[1]))
        else { throw Failure(.usage, "--pull-at takes a number from 1 and a moment, for example 7:before or 7:after.") }
        return PlannedPull(atExchange: number, moment)
    }

    /// Removes the card as planned, and puts it back in time.
    func follow(
        _ plan: PlannedPull?, on card: SimulatedCard, pull: @escaping @Sendable () -> Void,
        insert: @escaping @Sendable () -> Void
    ) {
        guard let plan else { return }
        let absence = backAfter.map { Duration.milliseconds($0) }
        card.plan(plan) {
            pull()
            guard let absence else { return }
            Task {
                try await Task.sleep(for: absence)
                insert()
            }
        }
    }
}

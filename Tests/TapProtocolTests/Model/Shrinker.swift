/// Finds a short sequence that fails as a long one did.
struct Shrinker {
    let setting: SequenceSetting

    /// What failed, after which steps.
    func report(_ steps: [ModelStep], _ failure: FailedStep) async throws -> String {
        var steps = Array(steps.prefix(failure.index + 1))
        var problem = failure.problem
        var size = max(1, steps.count / 2)
        while true {
            var start = 0
            var hasShrunk = false
            while start < steps.count {
                var fewer = steps
                fewer.removeSubrange(start..<min(start + size, steps.count))
                if let failure = try await result(fewer) {
                    steps = Array(fewer.prefix(failure.index + 1))
                    problem = failure.problem
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if size == 1, !hasShrunk { break }
            size = max(1, size / 2)
        }
        let list = steps.map { "    \($0)" }.joined(separator: "\n")
        let cards = setting.options.map { options in
            let slots =
                options.product == .satscard
                ? ", \(options.usedSlots) slots used\(options.isBlank ? ", blank" : "")" : ""
            return
                "\(options.product.rawValue) \(options.version.rawValue)\(slots), \(options.unluckyPercent) % unlucky"
        }
        return "\(problem)\n  cards: \(cards.joined(separator: "; "))\n\(list)"
    }

    private func result(_ steps: [ModelStep]) async throws -> FailedStep? {
        do {
            try await SequenceRunner(setting).run(steps)
            return nil
        } catch let failure as FailedStep { return failure }
    }
}

/// What an Electrum server has said of scripts and the tip, and what of it callers know.
struct ElectrumWatch {
    /// The state of each script last told, by its hash: `nil` for a script without history.
    private var told: [String: String?] = [:]
    /// The states that callers know.
    private var known: [String: String?] = [:]
    /// Scripts that this connection tells of.
    private var subscribed: Set<String> = []
    private var toldTip: ChainTip?
    private var knownTip: ChainTip?

    /// A new connection tells of nothing yet. What was told before stays, to be compared with.
    mutating func forgetSubscriptions() { subscribed = [] }

    /// The scripts that are still to be asked for.
    func missing(of hashes: [String]) -> [String] { Array(Set(hashes).subtracting(subscribed)) }

    /// Notes a script's state, as the answer to a subscription.
    mutating func subscribe(_ hash: String, _ status: String?) {
        subscribed.insert(hash)
        told[hash] = .some(status)
    }

    /// Notes a script's new state; of scripts that were not asked for, nothing.
    mutating func note(_ hash: String, _ status: String?) {
        if subscribed.contains(hash) { told[hash] = .some(status) }
    }

    /// Notes a tip.
    mutating func note(_ tip: ChainTip) { toldTip = tip }

    /// Notes a tip that a caller is told.
    mutating func tell(_ tip: ChainTip) {
        toldTip = tip
        knownTip = knownTip ?? tip
    }

    /// Tells a caller the state of scripts and the tip.
    /// - Returns: whether something is not as it was told before.
    mutating func takeChanges(of hashes: [String]) -> Bool {
        var hasChanged = knownTip != nil && knownTip != toldTip
        knownTip = toldTip
        for hash in hashes {
            guard let status = told[hash] else { continue }
            if let before = known.updateValue(status, forKey: hash), before != status { hasChanged = true }
        }
        return hasChanged
    }
}

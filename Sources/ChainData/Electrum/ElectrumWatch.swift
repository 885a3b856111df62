/// An Electrum server's reports about scripts and the tip, and which of them callers know.
struct ElectrumWatch {
    /// The last reported state of each script, by its hash: `nil` for a script without history.
    private var told: [String: String?] = [:]
    /// The states that callers know.
    private var known: [String: String?] = [:]
    /// Scripts that this connection is subscribed to.
    private var subscribed: Set<String> = []
    private var toldTip: ChainTip?
    private var knownTip: ChainTip?

    /// A new connection has no subscriptions yet. Earlier states stay, for comparison.
    mutating func forgetSubscriptions() { subscribed = [] }

    /// The scripts that still need a subscription.
    func missing(of hashes: [String]) -> [String] { Array(Set(hashes).subtracting(subscribed)) }

    /// Records a script's state, as the answer to a subscription.
    mutating func subscribe(_ hash: String, _ status: String?) {
        subscribed.insert(hash)
        told[hash] = .some(status)
    }

    /// Records a script's new state; ignores scripts that were not requested.
    mutating func note(_ hash: String, _ status: String?) {
        if subscribed.contains(hash) { told[hash] = .some(status) }
    }

    /// Records a tip.
    mutating func note(_ tip: ChainTip) { toldTip = tip }

    /// Records a tip that is reported to a caller.
    mutating func tell(_ tip: ChainTip) {
        toldTip = tip
        knownTip = knownTip ?? tip
    }

    /// Reports the state of scripts and the tip to a caller.
    /// - Returns: whether something changed since the last report.
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

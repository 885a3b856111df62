import Bitcoin

/// What an Electrum server has said of scripts and the tip, for noticing changes.
struct ElectrumWatch {
    /// The last state told of each script, by its hash: `nil` for a script without history.
    private var statuses: [String: String?] = [:]
    /// Scripts that this connection tells of.
    private var subscribed: Set<String> = []
    /// The last tip told; `nil` before the first.
    var tip: ChainTip?

    /// A new connection tells of nothing yet. What was told before stays, to be compared with.
    mutating func forgetSubscriptions() { subscribed = [] }

    /// The scripts that are still to be asked for.
    func missing(of hashes: [String]) -> [String] { Array(Set(hashes).subtracting(subscribed)) }

    /// Notes a script's state.
    /// - Returns: whether it is another than before.
    mutating func note(_ hash: String, _ status: String?, isAnswer: Bool) -> Bool {
        if isAnswer { subscribed.insert(hash) }
        guard let known = statuses.updateValue(status, forKey: hash) else { return false }
        return known != status
    }

    /// Notes a tip.
    /// - Returns: whether it is another than before.
    mutating func note(_ new: ChainTip) -> Bool {
        defer { tip = new }
        return tip != nil && tip != new
    }
}

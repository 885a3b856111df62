import Bitcoin
import ByteCodec

/// An Esplora server's reports about scripts and the tip, for noticing changes.
struct EsploraWatch {
    private var states: [String: String] = [:]

    /// Records a state.
    /// - Returns: whether it differs from the previous one.
    mutating func note(_ key: String, _ state: String) -> Bool {
        guard let known = states.updateValue(state, forKey: key) else { return false }
        return known != state
    }
}

extension EsploraSource {
    /// Polls the tip, and the counts of each script's transactions.
    func waitForChange(of scripts: [Script], timeout: Duration) async throws(ChainError) -> Bool {
        let deadline = settings.now() + max(timeout, .zero)
        while true {
            client.budget.renew()
            if try await hasChanged(scripts) { return true }
            let left = deadline - settings.now()
            guard left > .zero else { return false }
            do { try await settings.sleep(min(left, settings.pollInterval)) } catch { throw .cancelled }
        }
    }

    private func hasChanged(_ scripts: [Script]) async throws(ChainError) -> Bool {
        let tip = try Self.blockHash(try await get("/blocks/tip/hash"))
        let hashes = Array(Set(scripts.map(\.esploraHash)))
        let states = try await SideBySide.map(hashes, width: settings.parallelRequests) { hash throws(ChainError) in
            let answer = try JSONValue(answer: try await self.get("/scripthash/\(hash)"))
            return try Self.state(answer)
        }
        return watch.withLock { watch in
            var hasChanged = watch.note("tip", tip.description)
            for (hash, state) in zip(hashes, states) where watch.note(hash, state) { hasChanged = true }
            return hasChanged
        }
    }

    /// The server's counts and sums of a script's transactions, confirmed and unconfirmed.
    private static func state(_ answer: JSONValue) throws(ChainError) -> String {
        var parts: [JSONValue] = []
        for key in ["chain_stats", "mempool_stats"] {
            let counts = try answer.required(key)
            guard try counts.required("tx_count").integer != nil else { throw .malformed("tx_count is not a number") }
            parts.append(counts)
        }
        return String(decoding: JSONValue.array(parts).serialized, as: UTF8.self)
    }
}

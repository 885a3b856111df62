import Bitcoin

extension CoreSource {
    /// Polls the tip and the unconfirmed transactions. Without a wallet, only spends of the coins that `unspent` found are
    /// noticed.
    func waitForChange(of scripts: [Script], timeout: Duration) async throws(ChainError) -> Bool {
        let deadline = settings.now() + max(timeout, .zero)
        while true {
            client.budget.renew()
            let state = try await state(of: scripts)
            let before = known.withLock { $0.states.updateValue(state, forKey: scripts) }
            if let before, before != state { return true }
            let left = deadline - settings.now()
            guard left > .zero else { return false }
            do { try await settings.sleep(min(left, settings.pollInterval)) } catch { throw .cancelled }
        }
    }

    /// The last block's hash, as the node writes it.
    private func bestBlock() async throws(ChainError) -> String {
        guard let hash = try await call("getbestblockhash").string else {
            throw .malformed("the last block's hash is not a block hash")
        }
        return hash
    }

    private func state(of scripts: [Script]) async throws(ChainError) -> String {
        let tip = try await bestBlock()
        let parts: [String]
        if hasWallet {
            parts = try await walletHistories(of: scripts).joined().map { "\($0.transactionID)@\($0.height ?? -1)" }
        } else {
            let waiting = try await unconfirmed(Set(scripts)).values.joined().map(\.outpoint)
            let coins = known.withLock { known in scripts.flatMap { known.coins[$0] ?? [] } }
            parts = (waiting + (try await spentInMempool(coins))).map(\.description)
        }
        return ([tip] + parts.sorted()).joined(separator: " ")
    }
}

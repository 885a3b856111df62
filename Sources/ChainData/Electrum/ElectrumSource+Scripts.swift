import Bitcoin
import ByteCodec

extension ElectrumSource {
    /// The most transactions of one script.
    private static let longestHistory = 10_000

    func histories(of scripts: [Script]) async throws(ChainError) -> [[HistoryEntry]] {
        try await answers("blockchain.scripthash.get_history", scripts) { answer throws(ChainError) in
            var seen: Set<TransactionID> = []
            var entries: [HistoryEntry] = []
            let elements = try answer.elements("a history")
            guard elements.count <= Self.longestHistory else {
                throw .tooLarge(limit: Self.longestHistory, of: .history)
            }
            for element in elements {
                let id = try element.transactionID("tx_hash")
                guard seen.insert(id).inserted else { throw .malformed("\(id) appears twice in a history") }
                entries.append(HistoryEntry(transactionID: id, height: try Self.height(element)))
            }
            return entries
        }
    }

    func unspent(of scripts: [Script]) async throws(ChainError) -> [[UnspentClaim]] {
        try await answers("blockchain.scripthash.listunspent", scripts) { answer throws(ChainError) in
            var claims: [UnspentClaim] = []
            for element in try answer.elements("a list of coins") {
                let outpoint = Outpoint(
                    transactionID: try element.transactionID("tx_hash"), index: try element.outputIndex("tx_pos"))
                claims.append(
                    UnspentClaim(
                        outpoint: outpoint, amount: try element.satoshis("value"), height: try Self.height(element)))
            }
            return claims
        }
    }

    private func answers<Value: Sendable>(
        _ method: String, _ scripts: [Script], _ read: @escaping @Sendable (JSONValue) throws(ChainError) -> [Value]
    ) async throws(ChainError) -> [[Value]] {
        let requests = scripts.map { ElectrumRequest(method: method, parameters: [.string($0.electrumHash)]) }
        let lists = try await calls(requests) { answer throws(ChainError) in try read(try answer.value()) }
        guard lists.count == scripts.count else {
            throw .malformed("the number of answers differs from the number of scripts")
        }
        return lists
    }

    /// 0 is unconfirmed; -1 too, and it spends an unconfirmed output.
    private static func height(_ element: JSONValue) throws(ChainError) -> Int? {
        if let height = try element.required("height").integer, height == 0 || height == -1 { return nil }
        return try element.height("height")
    }
}

import Bitcoin
import ByteCodec

extension EsploraSource {
    /// Confirmed transactions on one page.
    private static let pageSize = 25
    /// The most transactions of one script.
    private static let longestHistory = 10_000

    /// At most the last 50 unconfirmed transactions of a script: Esplora lists no more.
    func histories(of scripts: [Script]) async throws(ChainError) -> [[HistoryEntry]] {
        try await checkNetwork()
        return try await SideBySide.map(scripts, width: settings.parallelRequests) { script throws(ChainError) in
            try await self.history(of: script)
        }
    }

    private func history(of script: Script) async throws(ChainError) -> [HistoryEntry] {
        let path = "/scripthash/\(script.esploraHash)/txs"
        var entries: [HistoryEntry] = []
        var seen: Set<TransactionID> = []
        var page = try self.entries(try await get(path))
        while true {
            // A block that arrives between two pages moves entries from one to the next.
            let new = page.filter { seen.insert($0.transactionID).inserted }
            entries += new
            guard entries.count <= Self.longestHistory else {
                throw .tooLarge(limit: Self.longestHistory, of: .history)
            }
            let confirmed = page.filter { $0.height != nil }
            guard confirmed.count >= Self.pageSize, !new.isEmpty, let last = confirmed.last else { break }
            page = try self.entries(try await get("\(path)/chain/\(last.transactionID)"))
        }
        // Newest first, as received.
        return (entries.filter { $0.height == nil } + entries.filter { $0.height != nil }).reversed()
    }

    private func entries(_ body: [UInt8]) throws(ChainError) -> [HistoryEntry] {
        var entries: [HistoryEntry] = []
        var times: [Int: UInt32] = [:]
        for element in try JSONValue(answer: body).elements("a history") {
            let height = try Self.height(element)
            if let height { times[height] = Self.time(element) }
            entries.append(HistoryEntry(transactionID: try element.transactionID("txid"), height: height))
        }
        blockTimes.withLock { [times] in $0.merge(times) { $1 } }
        return entries
    }

    /// As histories told them beside the transactions: nothing is asked.
    func blockTimes(of heights: Set<Int>) async throws(ChainError) -> [Int: UInt32] {
        blockTimes.withLock { $0.filter { heights.contains($0.key) } }
    }

    private static func time(_ element: JSONValue) -> UInt32? {
        element["status"]?["block_time"]?.integer.flatMap { UInt32(exactly: $0) }
    }

    func unspent(of scripts: [Script]) async throws(ChainError) -> [[UnspentClaim]] {
        try await checkNetwork()
        return try await SideBySide.map(scripts, width: settings.parallelRequests) { script throws(ChainError) in
            let answer = try JSONValue(answer: try await self.get("/scripthash/\(script.esploraHash)/utxo"))
            var claims: [UnspentClaim] = []
            for element in try answer.elements("a list of coins") {
                let outpoint = Outpoint(
                    transactionID: try element.transactionID("txid"), index: try element.outputIndex("vout"))
                claims.append(
                    UnspentClaim(
                        outpoint: outpoint, amount: try element.satoshis("value"), height: try Self.height(element)))
            }
            return claims
        }
    }

    private static func height(_ element: JSONValue) throws(ChainError) -> Int? {
        let status = try element.required("status")
        guard let isConfirmed = try status.required("confirmed").bool else {
            throw .malformed("confirmed is not true or false")
        }
        return isConfirmed ? try status.height("block_height") : nil
    }
}

extension Script {
    /// The id of a script on Esplora servers: its SHA-256 in hexadecimal, not reversed.
    var esploraHash: String { Hex.encode(SHA256.hash(bytes)) }
}

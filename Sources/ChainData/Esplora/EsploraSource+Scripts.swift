import Bitcoin
import ByteCodec

extension EsploraSource {
    /// Confirmed transactions on one page.
    private static let pageSize = 25
    /// The most transactions of one script.
    private static let longestHistory = 10_000

    /// All confirmed transactions, and at most the last 50 unconfirmed ones of a script, or 25: Esplora lists no more.
    func histories(of scripts: [Script]) async throws(ChainError) -> [[HistoryEntry]] {
        try await checkNetwork()
        return try await SideBySide.map(scripts, width: settings.parallelRequests) { script throws(ChainError) in
            try await self.history(of: script)
        }
    }

    private func history(of script: Script) async throws(ChainError) -> [HistoryEntry] {
        let path = "/scripthash/\(script.esploraHash)/txs"
        var page = try entries(try await get(path))
        let waiting = page.filter { $0.height == nil }
        // Some servers count those to the limit of the first page, so that it may lack confirmed ones.
        if !waiting.isEmpty, page.count >= Self.pageSize { page = try entries(try await get("\(path)/chain")) }
        var confirmed: [HistoryEntry] = []
        var seen: Set<TransactionID> = []
        while true {
            // A block that arrives between two pages moves entries from one to the next.
            page.removeAll { $0.height == nil }
            let new = page.filter { seen.insert($0.transactionID).inserted }
            confirmed += new
            guard waiting.count + confirmed.count <= Self.longestHistory else {
                throw .tooLarge(limit: Self.longestHistory, of: .history)
            }
            guard page.count >= Self.pageSize, !new.isEmpty, let last = page.last else { break }
            page = try entries(try await get("\(path)/chain/\(last.transactionID)"))
        }
        // Newest first, as received; without those that a block took meanwhile.
        return (waiting.filter { seen.insert($0.transactionID).inserted } + confirmed).reversed()
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

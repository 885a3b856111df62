import Bitcoin
import ByteCodec

extension EsploraSource {
    func tip() async throws(ChainError) -> ChainTip {
        let hash = try Self.blockHash(try await get("/blocks/tip/hash"))
        let block = try JSONValue(answer: try await get("/block/\(hash)"))
        guard let seconds = try block.required("timestamp").integer, let time = UInt32(exactly: seconds) else {
            throw .malformed("timestamp is not a time")
        }
        return ChainTip(height: try block.height("height"), blockHash: hash, time: time)
    }

    func transactions(_ ids: [TransactionID]) async throws(ChainError) -> [TransactionID: Transaction] {
        try await checkNetwork()
        let ids = Array(Set(ids))
        let found = try await SideBySide.map(ids, width: settings.parallelRequests) { id throws(ChainError) in
            try Transaction(answer: try await self.get("/tx/\(id)/raw"), for: id)
        }
        return Dictionary(zip(ids, found)) { first, _ in first }
    }

    /// The estimate for the largest number of blocks up to the requested one; otherwise the one for the fewest.
    func feeRate(targetBlocks: Int) async throws(ChainError) -> FeeRate? {
        let body: [UInt8]
        do throws(ChainError) { body = try await get("/fee-estimates") } catch {
            // Some servers with this API have estimates elsewhere, or none.
            guard case .serverError(404, _) = error else { throw error }
            return nil
        }
        let answer = try JSONValue(answer: body)
        guard let estimates = answer.object else { throw .malformed("the estimates are not an object") }
        var best: (blocks: Int, rate: JSONValue)?
        for (key, rate) in estimates {
            guard let blocks = Int(key), FeeRate.targets.contains(blocks) else {
                throw .malformed("an estimate without a number of blocks")
            }
            guard let known = best?.blocks else {
                best = (blocks, rate)
                continue
            }
            let isBetter = known <= targetBlocks ? known < blocks && blocks <= targetBlocks : blocks < known
            if isBetter { best = (blocks, rate) }
        }
        guard let best else { return nil }
        return try FeeRate.estimate(try best.rate.satoshisPerKiloVirtualByte("an estimate", decimals: 3))
    }

    /// Esplora does not report it; this is the default minimum of nodes, 1 sat/vB.
    func minimumFeeRate() async throws(ChainError) -> FeeRate { try FeeRate.minimum(1_000) }

    func broadcast(_ transaction: Transaction) async throws(ChainError) -> TransactionID {
        let id = transaction.id
        let response = try await post("/tx", Hex.encodeUTF8(transaction.serialized()))
        if response.status == 200 {
            guard TransactionID(parsing: try Self.text(response.body)) == id else {
                throw .liar("the server reports that it sent a transaction other than \(id)")
            }
            return id
        }
        let text = ServerText(bytes: response.body)
        if Rejection.isAlreadyKnown(text.description) { return id }
        guard Self.isRejection(response) else { throw .serverError(status: response.status, message: text) }
        throw .rejected(reason: Self.reason(text))
    }

    /// The node's own message, from the JSON in the answer.
    private static func reason(_ text: ServerText) -> ServerText {
        guard let start = text.description.firstIndex(of: "{"),
            let json = try? JSONReader.value(Array(text.description[start...].utf8)),
            let message = json["message"]?.string
        else { return text }
        return ServerText(message)
    }
}

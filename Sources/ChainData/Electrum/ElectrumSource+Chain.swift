import Bitcoin
import ByteCodec

extension ElectrumSource {
    func tip() async throws(ChainError) -> ChainTip {
        let tip = try Self.tip(try await call("blockchain.headers.subscribe"))
        watch.tell(tip)
        return tip
    }

    /// Reads a header with its height; the hash is computed.
    static func tip(_ answer: JSONValue) throws(ChainError) -> ChainTip {
        guard let header = BlockHeader(serialized: try answer.required("hex").hex("a block's header")) else {
            throw .malformed("a block header's length is not \(BlockHeader.length)")
        }
        return ChainTip(height: try answer.height("height"), blockHash: header.hash, time: header.time)
    }

    /// The times of blocks, from their headers; blocks whose header is invalid or refused are left out.
    func blockTimes(of heights: Set<Int>) async throws(ChainError) -> [Int: UInt32] {
        let heights = heights.sorted()
        let requests = heights.map { ElectrumRequest(method: "blockchain.block.header", parameters: [.integer($0)]) }
        let answers = try await calls(requests) { answer throws(ChainError) -> UInt32? in
            guard case .result(let value) = answer, let bytes = try? value.hex("a block's header") else { return nil }
            return BlockHeader(serialized: bytes)?.time
        }
        var times: [Int: UInt32] = [:]
        for (height, time) in zip(heights, answers) { times[height] = time }
        return times
    }

    func transactions(_ ids: [TransactionID]) async throws(ChainError) -> [TransactionID: Transaction] {
        let ids = Array(Set(ids))
        let requests = ids.map {
            ElectrumRequest(method: "blockchain.transaction.get", parameters: [.string($0.description)])
        }
        var transactions: [TransactionID: Transaction] = [:]
        let answers = try await calls(requests, inBatches: false) { answer throws(ChainError) in
            try answer.value().hex("a transaction")
        }
        for (id, bytes) in zip(ids, answers) { transactions[id] = try Transaction(answer: bytes, for: id) }
        return transactions
    }

    func feeRate(targetBlocks: Int) async throws(ChainError) -> FeeRate? {
        let target = min(max(targetBlocks, FeeRate.targets.lowerBound), FeeRate.targets.upperBound)
        let answer = try await call("blockchain.estimatefee", [.integer(target)])
        return try FeeRate.estimate(try answer.satoshisPerKiloVirtualByte("the estimate"))
    }

    func minimumFeeRate() async throws(ChainError) -> FeeRate {
        try FeeRate.minimum(try await call("blockchain.relayfee").satoshisPerKiloVirtualByte("the minimum fee rate"))
    }

    func broadcast(_ transaction: Transaction) async throws(ChainError) -> TransactionID {
        let id = transaction.id
        let request = ElectrumRequest(
            method: "blockchain.transaction.broadcast", parameters: [.string(Hex.encode(transaction.serialized()))])
        guard let answer = try await calls([request]).first else { throw .malformed("there is no answer") }
        switch answer {
        case .result(let value):
            guard value.string.flatMap({ TransactionID(parsing: $0) }) == id else {
                throw .liar("the server reports that it sent a transaction other than \(id)")
            }
        case .refusal(_, let message) where Rejection.isAlreadyKnown(message.description): break
        case .refusal(let code, _) where code == -101 || code == -102 || code == -32601: _ = try answer.value()
        case .refusal(_, let message): throw .rejected(reason: Self.reason(message))
        }
        return id
    }

    /// The node's own message, without ElectrumX's text around it.
    private static func reason(_ message: ServerText) -> ServerText {
        let opening = "the transaction was rejected by network rules. "
        guard message.description.hasPrefix(opening) else { return message }
        let reason = message.description.dropFirst(opening.count)
        return ServerText(reason.prefix { $0 != "[" })
    }
}

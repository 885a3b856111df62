import Bitcoin
import ByteCodec

/// A server that speaks the Electrum protocol, version 1.4: ElectrumX, Fulcrum, electrs.
///
/// One connection at a time; requests go in batches if the server accepts them.
actor ElectrumSource: ChainSource {
    nonisolated let name: String
    nonisolated let features: Set<ChainFeature> = [.histories, .unconfirmed, .notifications]

    let settings: ChainSettings
    /// The bytes that the server may still send.
    let budget: ByteBudget
    private let endpoint: LineEndpoint
    nonisolated let network: Network
    private var connection: ElectrumConnection?
    /// A connection being opened.
    private var making: Task<Result<ElectrumConnection, ChainError>, Never>?
    private var takesBatches = true
    private var hasAnsweredBatch = false
    var watch = ElectrumWatch()

    /// Requests in one batch; few enough for every server's limits on a line.
    private static let batchSize = 100

    init(_ endpoint: LineEndpoint, network: Network, settings: ChainSettings) {
        self.endpoint = endpoint
        self.network = network
        self.settings = settings
        budget = ByteBudget(settings.longestConversation)
        name = "electrum:\(endpoint.server):\(endpoint.isSecure ? "s" : "t")"
    }

    deinit { connection?.close() }

    nonisolated func beginTask() { budget.renew() }

    func close() {
        connection?.close()
        connection = nil
    }

    // Connection

    /// The connection; opened, with handshake, if there is none. Concurrent callers wait for the same one.
    func connected() async throws(ChainError) -> ElectrumConnection {
        if let connection, connection.fault == nil { return connection }
        let making = making ?? Task { await self.connect() }
        self.making = making
        let answer = OneAnswer<ElectrumConnection>()
        Task { answer.give(await making.value) }
        return try await answer.value().get()
    }

    private func connect() async -> Result<ElectrumConnection, ChainError> {
        defer { making = nil }
        do throws(ChainError) {
            let new = try await ElectrumConnection.open(endpoint, settings, budget)
            do throws(ChainError) { try await greet(new) } catch {
                new.close()
                throw error
            }
            connection = new
            watch.forgetSubscriptions()
            return .success(new)
        } catch {
            return .failure(error)
        }
    }

    private func greet(_ connection: ElectrumConnection) async throws(ChainError) {
        let requests = [
            ElectrumRequest(method: "server.version", parameters: [.string("tapkit"), .string("1.4")]),
            ElectrumRequest(method: "blockchain.block.header", parameters: [.integer(0)]),
        ]
        let answers = try await connection.answers(to: requests, inBatch: false)
        guard answers.count == requests.count else {
            throw .malformed("the number of answers differs from the number of requests")
        }
        let version = try answers[0].value()
        guard version.array?.count == 2, version.array?.last?.string != nil else {
            throw .malformed("server.version is not a pair of strings")
        }
        guard let genesis = BlockHeader(serialized: try answers[1].value().hex("the first block's header")) else {
            throw .malformed("the first block header's length is not \(BlockHeader.length)")
        }
        guard genesis.hash == network.genesisHash else {
            let found = Network(genesisHash: genesis.hash).map(\.description) ?? "the chain from block \(genesis.hash)"
            throw .wrongNetwork(found: ServerText(found), wanted: network)
        }
    }

    // Requests

    /// One call's result.
    func call(_ method: String, _ parameters: [JSONValue] = []) async throws(ChainError) -> JSONValue {
        let results = try await calls([ElectrumRequest(method: method, parameters: parameters)])
        guard let result = results.first else { throw .malformed("there is no answer") }
        return try result.value()
    }

    /// The answers to many calls, in order; retried after temporary failures.
    func calls(_ requests: [ElectrumRequest]) async throws(ChainError) -> [ElectrumAnswer] {
        try await calls(requests) { answer in answer }
    }

    /// The parsed answers to many calls, in order; each is parsed as soon as it arrives, to save memory.
    /// - Parameter inBatches: whether the answers are short enough for batches.
    func calls<Value: Sendable>(
        _ requests: [ElectrumRequest], inBatches: Bool = true,
        _ read: @escaping @Sendable (ElectrumAnswer) throws(ChainError) -> Value
    ) async throws(ChainError) -> [Value] {
        let size = Self.batchSize
        let chunks = stride(from: 0, to: requests.count, by: size).map {
            Array(requests[$0..<min($0 + size, requests.count)])
        }
        let answers = try await SideBySide.map(chunks, width: settings.parallelRequests) {
            chunk throws(ChainError) in
            let answers = try await Retrying(self.settings).run {
                await self.attempt(chunk, inBatch: inBatches && chunk.count > 1)
            }
            var values: [Value] = []
            for answer in answers { values.append(try read(answer)) }
            return values
        }
        return Array(answers.joined())
    }

    private func attempt(_ requests: [ElectrumRequest], inBatch: Bool) async -> Result<[ElectrumAnswer], ChainError> {
        do throws(ChainError) {
            let connection = try await connected()
            guard inBatch, takesBatches else {
                return .success(try await connection.answers(to: requests, inBatch: false))
            }
            do throws(ChainError) {
                let answers = try await connection.answers(to: requests, inBatch: true)
                hasAnsweredBatch = true
                return .success(try await secondChance(requests, answers))
            } catch {
                // A server without batches rejects the first one, or closes the connection.
                guard !hasAnsweredBatch, Self.canMeanNoBatches(error) else { throw error }
                takesBatches = false
                return .success(try await connected().answers(to: requests, inBatch: false))
            }
        } catch {
            return .failure(error)
        }
    }

    private static func canMeanNoBatches(_ error: ChainError) -> Bool {
        switch error {
        case .serverError, .unsupported, .unreachable(.closed, _): true
        default: false
        }
    }

    /// Requests one by one what a batch did not bring: the answers together may have been too long.
    private func secondChance(
        _ requests: [ElectrumRequest], _ answers: [ElectrumAnswer]
    ) async throws(ChainError) -> [ElectrumAnswer] {
        guard answers.count == requests.count else {
            throw .malformed("the number of answers differs from the number of requests")
        }
        let refused = answers.indices.filter { if case .refusal = answers[$0] { true } else { false } }
        guard !refused.isEmpty else { return answers }
        let again = try await connected().answers(to: refused.map { requests[$0] }, inBatch: false)
        var answers = answers
        for (index, answer) in zip(refused, again) { answers[index] = answer }
        return answers
    }
}

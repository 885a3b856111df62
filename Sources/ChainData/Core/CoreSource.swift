import Bitcoin
import ByteCodec
import Synchronization

/// Bitcoin Core's JSON-RPC, with a watch-only wallet (histories, unconfirmed coins, immediate answers) or without one
/// (scans all coins each time: minutes on the main network).
///
/// Spec: Bitcoin Core, RPC documentation of version 26 and later.
final class CoreSource: ChainSource {
    let name: String
    /// Without a wallet, unconfirmed transactions are among them only if the mempool was small enough to look at, last time.
    var features: Set<ChainFeature> {
        if hasWallet { return [.histories, .unconfirmed] }
        return known.withLock { $0.isMempoolKnown } ? [.unconfirmed] : []
    }

    let settings: ChainSettings
    /// Whether the address names a wallet.
    let hasWallet: Bool
    /// The day before which there were no payments, if the address names one.
    let birthday: CoreBirthday?
    let known = Mutex(CoreKnowledge())
    private let base: ServerURL
    let network: Network
    let client: HTTPClient
    private let isChecked = Mutex(false)
    private let cookie = Mutex<HTTPRequest.Credentials?>(nil)

    init(_ base: ServerURL, network: Network, settings: ChainSettings) {
        self.base = base
        self.network = network
        self.settings = settings
        client = HTTPClient(base, settings)
        name = "core:\(base)"
        hasWallet = !base.path.isEmpty
        birthday = base.query["since"].flatMap { CoreBirthday(parsing: $0) }
    }

    /// Whether a path is valid for a node: empty, or a wallet's.
    static func isPath(_ path: String) -> Bool {
        path.isEmpty || path.hasPrefix("/wallet/") && path.utf8.count > "/wallet/".utf8.count
    }

    func beginTask() {
        client.budget.renew()
        isChecked.withLock { $0 = false }
        // The node may have lost its wallet, or been given another, since the last request.
        known.withLock { $0.imported = [] }
    }

    func close() async { client.close() }

    // Calls

    /// One call's result.
    func call(
        _ method: String, _ parameters: [JSONValue] = [], timeLimit: Duration? = nil
    ) async throws(ChainError) -> JSONValue {
        guard let answer = try await calls([CoreCall(method, parameters)], timeLimit: timeLimit).first else {
            throw .malformed("there is no answer")
        }
        return try answer.value()
    }

    /// The answers to many calls, in order, in one request after another; the network is checked first.
    /// - Parameter batchSize: calls in one request.
    func calls(
        _ calls: [CoreCall], batchSize: Int = 100, timeLimit: Duration? = nil
    ) async throws(ChainError) -> [CoreAnswer] {
        try await checkNetwork()
        var answers: [CoreAnswer] = []
        for start in stride(from: 0, to: calls.count, by: max(1, batchSize)) {
            let batch = Array(calls[start..<min(start + batchSize, calls.count)])
            answers += try await Retrying(settings).run { await self.attempt(batch, timeLimit) }
        }
        return answers
    }

    private func checkNetwork() async throws(ChainError) {
        guard !isChecked.withLock({ $0 }) else { return }
        let answers = try await Retrying(settings).run {
            await self.attempt([CoreCall("getblockchaininfo"), CoreCall("getblockhash", [.integer(0)])], nil)
        }
        let information = try answers[0].value()
        let chain = try information.text("chain")
        guard let genesis = try answers[1].value().string.flatMap({ BlockHash(parsing: $0) }) else {
            throw .malformed("the first block's hash is not a block hash")
        }
        let names: [Network: String] = [
            .main: "main", .test: "test", .testnet4: "testnet4", .signet: "signet", .regtest: "regtest",
        ]
        guard genesis == network.genesisHash, chain == names[network] else {
            throw .wrongNetwork(found: ServerText(chain), wanted: network)
        }
        try requireSynced(information)
        isChecked.withLock { $0 = true }
    }

    /// Checks that the node has all blocks that it knows of: until then it lacks coins and spends.
    /// - Parameter information: the answer to `getblockchaininfo`.
    func requireSynced(_ information: JSONValue) throws(ChainError) {
        guard information["initialblockdownload"]?.bool == true else { return }
        let (blocks, headers) = (try information.height("blocks"), try information.height("headers"))
        // A private test network may have no blocks for days; then nothing is missing.
        guard network != .regtest || blocks < headers else { return }
        throw .notReady(ServerText("the node has synced \(blocks) of \(headers) blocks so far"))
    }

    /// Sends calls in one request, once.
    func attempt(_ calls: [CoreCall], _ timeLimit: Duration?) async -> Result<[CoreAnswer], ChainError> {
        do throws(ChainError) {
            let body = JSONValue.array(calls.enumerated().map { $1.json(id: $0) }).serialized
            var response = try await post(body, timeLimit)
            if response.status == 401, base.credentials == nil {
                // The node may have restarted since the cookie was read.
                cookie.withLock { $0 = nil }
                response = try await post(body, timeLimit)
            }
            switch response.status {
            case 200:
                let answers = try Self.answers(response.body, count: calls.count)
                // Retried as a whole.
                if let delay = answers.lazy.compactMap(\.delay).first { throw .notReady(delay) }
                return .success(answers)
            case 401: throw .unauthorized(detail: "")
            case 403: throw .unauthorized(detail: "the node does not allow access from this machine, or to this method")
            // All its threads are busy, or it is shutting down.
            case 503: throw .notReady(ServerText(bytes: response.body))
            default: throw .serverError(status: response.status, message: ServerText(bytes: response.body))
            }
        } catch {
            return .failure(error)
        }
    }

    private func post(_ body: [UInt8], _ timeLimit: Duration?) async throws(ChainError) -> HTTPResponse {
        let request = HTTPRequest(
            url: base.description + (base.path.isEmpty ? "/" : ""), body: body, credentials: try credentials(),
            timeLimit: timeLimit)
        // With a time to wait, the answer comes from something in front of the node.
        return try await client.attempt(request, isFinal: { $0.status == 503 && $0.retryAfter == nil }).get()
    }

    private func credentials() throws(ChainError) -> HTTPRequest.Credentials {
        try base.requireConfidential(settings)
        if let given = base.credentials ?? cookie.withLock({ $0 }) { return given }
        let file: CookieFile
        if let path = base.query["cookie"] {
            file = CookieFile(path: path)
        } else if !base.isLocal(settings) {
            throw .unauthorized(
                detail: "this machine's cookie file is for its own node: add user and password, or name a cookie file")
        } else if let home = settings.homeFolder {
            file = CookieFile(homeFolder: home, network: network)
        } else {
            throw .unauthorized(detail: "there is neither a password nor a cookie file")
        }
        let read = try file.credentials()
        cookie.withLock { $0 = read }
        return read
    }

    private static func answers(_ body: [UInt8], count: Int) throws(ChainError) -> [CoreAnswer] {
        let messages = try JSONValue(answer: body).elements("the batch answer")
        var answers = [CoreAnswer?](repeating: nil, count: count)
        for message in messages {
            guard let id = message["id"]?.integer, let index = Int(exactly: id), answers.indices.contains(index),
                answers[index] == nil
            else { throw .malformed("an answer to a call that was not made") }
            answers[index] = try CoreAnswer(message)
        }
        let all = answers.compactMap { $0 }
        guard all.count == count else { throw .malformed("an answer is missing") }
        return all
    }
}

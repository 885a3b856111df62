import Bitcoin
import Synchronization

/// A server with Esplora's HTTP API: Blockstream's, mempool's, or your own.
///
/// Spec: Esplora, "API.md".
final class EsploraSource: ChainSource {
    let name: String
    let features: Set<ChainFeature> = [.histories, .unconfirmed]

    let settings: ChainSettings
    private let base: ServerURL
    let network: Network
    let client: HTTPClient
    private let isChecked = Mutex(false)
    let watch = Mutex(EsploraWatch())
    /// When the blocks were made that histories named, by height.
    let blockTimes = Mutex<[Int: UInt32]>([:])

    init(_ base: ServerURL, network: Network, settings: ChainSettings) {
        self.base = base
        self.network = network
        self.settings = settings
        client = HTTPClient(base, settings)
        name = "esplora:\(base)"
    }

    func beginTask() {
        client.budget.renew()
        isChecked.withLock { $0 = false }
    }

    func close() async { client.close() }

    // Requests

    /// Requests a path below the server's address; the network is checked before the first answer is used.
    /// - Parameter isFinal: see `HTTPClient.answer`.
    func get(_ path: String) async throws(ChainError) -> [UInt8] {
        try await checkNetwork()
        return try await fetch(path)
    }

    /// Posts bytes.
    func post(_ path: String, _ body: [UInt8]) async throws(ChainError) -> HTTPResponse {
        try await checkNetwork()
        return try await client.answer(to: try request(path, body)) { Self.isRejection($0) }
    }

    private func fetch(_ path: String) async throws(ChainError) -> [UInt8] {
        let response = try await client.answer(to: try request(path))
        switch response.status {
        case 200: return response.body
        case 401, 403: throw .unauthorized(detail: "status \(response.status)")
        default: throw .serverError(status: response.status, message: ServerText(bytes: response.body))
        }
    }

    private func request(_ path: String, _ body: [UInt8]? = nil) throws(ChainError) -> HTTPRequest {
        if base.credentials != nil { try base.requireConfidential(settings) }
        return HTTPRequest(url: base.appending(path), body: body, credentials: base.credentials)
    }

    /// Servers answer 400, some 500, with the node's message when a transaction is rejected.
    static func isRejection(_ response: HTTPResponse) -> Bool {
        response.status == 400
            || response.status >= 500 && ServerText(bytes: response.body).description.contains("RPC error")
    }

    /// Checks once that the server is on the network. Call it before starting many requests at once, which would each check
    /// too.
    func checkNetwork() async throws(ChainError) {
        guard !isChecked.withLock({ $0 }) else { return }
        let genesis = try Self.blockHash(try await fetch("/block-height/0"))
        guard genesis == network.genesisHash else {
            let found = Network(genesisHash: genesis).map(\.description) ?? "the chain from block \(genesis)"
            throw .wrongNetwork(found: ServerText(found), wanted: network)
        }
        isChecked.withLock { $0 = true }
    }

    // Answers

    /// The longest answer that is one word, in bytes: a block hash has 64.
    private static let longestWord = 100

    static func text(_ body: [UInt8]) throws(ChainError) -> String {
        guard body.count <= longestWord, let text = String(validating: body, as: UTF8.self) else {
            throw .malformed("an answer of one word has more than \(longestWord) bytes, or is not text")
        }
        return String(text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
    }

    static func blockHash(_ body: [UInt8]) throws(ChainError) -> BlockHash {
        guard let hash = BlockHash(parsing: try text(body)) else { throw .malformed("not a block hash") }
        return hash
    }
}

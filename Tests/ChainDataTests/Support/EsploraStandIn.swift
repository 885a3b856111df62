import Bitcoin
import TestSupport

@testable import ChainData

/// An Esplora server on regtest whose other answers a test writes.
struct EsploraStandIn: Sendable {
    let http: HTTPStandIn

    /// - Parameter answer: for every path but that of the first block.
    init(_ answer: @escaping @Sendable (HTTPStandIn.Request) -> [UInt8]?) throws {
        http = try HTTPStandIn { request in
            request.path == "/block-height/0"
                ? HTTPStandIn.reply(Network.regtest.genesisHash.description) : answer(request)
        }
    }

    func source(_ settings: ChainSettings = .forTests(retries: 0)) throws -> any ChainSource {
        try ChainServer(parsing: "esplora:http://127.0.0.1:\(http.port)").open(network: .regtest, settings: settings)
    }

    /// The paths asked for, but that of the first block.
    var paths: [String] { http.requests.map(\.path).filter { $0 != "/block-height/0" } }
}

import Bitcoin
import ByteCodec
import TestSupport

@testable import ChainData

/// A node of Bitcoin Core on regtest with 200 blocks, whose other answers a test writes: for what no real node would have so
/// much of.
struct CoreStandIn: Sendable {
    private let http: HTTPStandIn

    /// - Parameters:
    ///   - chain: what the node calls its chain.
    ///   - result: the JSON of a call's result, by its method and parameters; `nil` for what a node without coins says.
    init(chain: String = "regtest", _ result: @escaping @Sendable (String, [JSONValue]) -> String?) throws {
        var facts = Self.facts
        facts["getblockchaininfo"] =
            #"{"chain":"\#(chain)","initialblockdownload":false,"blocks":200,"headers":200,"mediantime":1700000000}"#
        http = try HTTPStandIn { [facts] request in
            guard let calls = try? JSONValue(answer: Array(request.body.utf8)).array else { return nil }
            let answers = calls.map { call in
                let (method, parameters) = (call["method"]?.string ?? "", call["params"]?.array ?? [])
                let result = result(method, parameters) ?? facts[method] ?? "[]"
                return #"{"result":\#(result),"error":null,"id":\#(call["id"]?.integer ?? -1)}"#
            }
            return HTTPStandIn.reply("[\(answers.joined(separator: ","))]")
        }
    }

    /// The last block's hash.
    static let best = String(repeating: "b5", count: 32)

    /// The result of a scan.
    /// - Parameter coins: the JSON of what it found.
    static func scan(_ coins: String) -> String {
        #"{"success":true,"bestblock":"\#(best)","unspents":\#(coins)}"#
    }

    private static let facts = [
        "getblockhash": #""\#(Network.regtest.genesisHash)""#, "getblockcount": "200",
        "getbestblockhash": #""\#(best)""#, "getblockheader": #"{"confirmations":1,"height":200}"#,
        "listdescriptors": #"{"descriptors":[]}"#, "importdescriptors": #"[{"success":true}]"#,
        "listsinceblock": #"{"transactions":[],"removed":[]}"#,
    ]

    /// - Parameter hasWallet: whether a wallet is asked.
    func source(_ settings: ChainSettings, hasWallet: Bool) throws -> any ChainSource {
        try ChainServer(parsing: "core:http://user:word@127.0.0.1:\(http.port)\(hasWallet ? "/wallet/w" : "")")
            .open(network: .regtest, settings: settings)
    }
}

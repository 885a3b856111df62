import Bitcoin
import Foundation
import TestSupport

@testable import ChainData

/// Bitcoin Core on regtest, whose other answers a test writes.
struct CoreStandIn: Sendable {
    let http: HTTPStandIn

    /// - Parameters:
    ///   - authorization: the header that is wanted; `nil`: none.
    ///   - answer: the JSON of the result of a method; one that starts with `!` is an error's.
    init(
        authorization: @escaping @Sendable () -> String? = { nil },
        _ answer: @escaping @Sendable (String, Int) -> String
    ) throws {
        http = try HTTPStandIn { request in
            if let wanted = authorization(), request.headers["authorization"] != wanted {
                return HTTPStandIn.reply("", status: 401)
            }
            let calls = (try? JSONSerialization.jsonObject(with: Data(request.body.utf8))) as? [[String: Any]] ?? []
            let parts = calls.map { call in
                let (id, method) = (call["id"] as? Int ?? -1, call["method"] as? String ?? "")
                let isFirstBlock = method == "getblockhash" && (call["params"] as? [Int]) == [0]
                let result =
                    switch method {
                    case "getblockchaininfo": #"{"chain":"regtest"}"#
                    case _ where isFirstBlock: "\"\(Network.regtest.genesisHash)\""
                    default: answer(method, request.repetition)
                    }
                return result.hasPrefix("!")
                    ? #"{"result":null,"error":\#(result.dropFirst()),"id":\#(id)}"#
                    : #"{"result":\#(result),"error":null,"id":\#(id)}"#
            }
            return HTTPStandIn.reply("[\(parts.joined(separator: ","))]")
        }
    }

    func source(
        _ settings: ChainSettings = .forTests(retries: 0), credentials: String = "user:password@", suffix: String = ""
    ) throws -> any ChainSource {
        try ChainServer(parsing: "core:http://\(credentials)127.0.0.1:\(http.port)\(suffix)")
            .open(network: .regtest, settings: settings)
    }
}

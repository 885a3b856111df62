import Bitcoin
import ByteCodec
import ChainData
import Foundation
import TestSupport

/// A chain, honest or not, behind one of the interfaces that chain servers have.
public enum ServedChain: Sendable {
    /// Electrum's protocol.
    case electrum(ElectrumStandIn)
    /// Esplora's.
    case esplora(HTTPStandIn)
    /// Bitcoin Core's, with a watch-only wallet.
    case core(HTTPStandIn)

    /// The interfaces.
    public enum Backend: CaseIterable, Sendable {
        case electrum, esplora, core
    }

    /// Serves what the chain tells at the time of each question.
    public init(_ chain: FakeChain, _ backend: Backend) throws {
        switch backend {
        case .electrum: self = .electrum(try ElectrumStandIn { .result(Self.electrum($0, chain.telling)) })
        case .esplora: self = .esplora(try HTTPStandIn { Self.esplora($0.path, chain.telling) })
        case .core: self = .core(try HTTPStandIn { Self.core($0.body, chain.telling) })
        }
    }

    /// The server as `--chain` takes it.
    public var name: String {
        switch self {
        case .electrum(let server): "electrum:127.0.0.1:\(server.port):t"
        case .esplora(let server): "esplora:http://127.0.0.1:\(server.port)"
        case .core(let server): "core:http://me:secret@127.0.0.1:\(server.port)/wallet/watch"
        }
    }

    /// The way to it.
    /// - Parameter bytes: how many may come, so few that tests can reach it.
    public func source(bytes: Int = 4_000_000) throws -> any ChainSource {
        var settings = ChainSettings()
        settings.retries = 0
        settings.connectTimeLimit = .seconds(60)
        settings.longestConversation = bytes
        return try ChainServer(parsing: name).open(network: .regtest, settings: settings)
    }

    private static let genesis = Network.regtest.genesisHash.description

    private static func hex(_ transaction: Transaction?) -> String {
        "\"\(transaction.map { Hex.encode($0.serialized()) } ?? "")\""
    }

    // MARK: Electrum

    private static func electrum(_ call: ElectrumStandIn.Call, _ told: FakeChain.Telling) -> String {
        let parameter = call.parameters.first ?? ""
        switch call.method {
        case "blockchain.headers.subscribe":
            return #"{"hex":"\#(ElectrumStandIn.genesisHeader)","height":\#(told.height)}"#
        case "blockchain.transaction.get":
            return hex(TransactionID(parsing: parameter).flatMap { told.transactions[$0] })
        case "blockchain.scripthash.get_history":
            let history = told.histories.first { Hex.encode(SHA256.hash($0.key.bytes).reversed()) == parameter }
            let entries = (history?.value ?? []).map {
                #"{"tx_hash":"\#($0.transactionID)","height":\#($0.height ?? 0)}"#
            }
            return "[\(entries.joined(separator: ","))]"
        default: return "null"
        }
    }

    // MARK: Esplora

    private static let pageSize = 25

    private static func esplora(_ path: String, _ told: FakeChain.Telling) -> [UInt8] {
        let parts = path.split(separator: "/").map(String.init)
        switch (parts.first, parts.count) {
        case ("block-height", _), ("blocks", _): return HTTPStandIn.reply(genesis)
        case ("block", _): return HTTPStandIn.reply(#"{"timestamp":1,"height":\#(told.height)}"#)
        case ("tx", 3):
            let transaction = TransactionID(parsing: parts[1]).flatMap { told.transactions[$0] }
            return HTTPStandIn.reply(transaction?.serialized() ?? [])
        case ("scripthash", 3...):
            let history = told.histories.first { Hex.encode(SHA256.hash($0.key.bytes)) == parts[1] }?.value ?? []
            return HTTPStandIn.reply(page(history.reversed(), after: parts.count == 5 ? parts[4] : nil))
        default: return HTTPStandIn.reply("", status: 404)
        }
    }

    /// The unconfirmed ones and the first confirmed ones; or the confirmed ones behind one.
    private static func page(_ history: [HistoryEntry], after last: String?) -> String {
        let confirmed = history.filter { $0.height != nil }
        let start = last.flatMap { last in confirmed.lastIndex { $0.transactionID.description == last } }.map { $0 + 1 }
        let entries =
            (last == nil ? history.filter { $0.height == nil } : [])
            + confirmed.dropFirst(start ?? 0).prefix(pageSize)
        let texts = entries.map { entry in
            let status =
                entry.height.map { #"{"confirmed":true,"block_height":\#($0)}"# } ?? #"{"confirmed":false}"#
            return #"{"txid":"\#(entry.transactionID)","status":\#(status)}"#
        }
        return "[\(texts.joined(separator: ","))]"
    }

    // MARK: Bitcoin Core

    private static func core(_ body: String, _ told: FakeChain.Telling) -> [UInt8] {
        let calls = (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [[String: Any]] ?? []
        let answers = calls.map { call in
            let parameters = call["params"] as? [Any] ?? []
            let result = core(call["method"] as? String ?? "", parameters, told)
            return #"{"result":\#(result),"error":null,"id":\#(call["id"] as? Int ?? -1)}"#
        }
        return HTTPStandIn.reply("[\(answers.joined(separator: ","))]")
    }

    private static func core(_ method: String, _ parameters: [Any], _ told: FakeChain.Telling) -> String {
        switch method {
        case "getblockchaininfo":
            return #"{"chain":"regtest","bestblockhash":"\#(genesis)","blocks":\#(told.height),"#
                + #""time":1700000000,"mediantime":1700000000}"#
        case "getblockhash": return "\"\(genesis)\""
        case "listdescriptors": return #"{"descriptors":[]}"#
        case "importdescriptors":
            let count = (parameters.first as? [Any])?.count ?? 0
            return "[\(Array(repeating: #"{"success":true}"#, count: count).joined(separator: ","))]"
        case "listsinceblock":
            let entries = told.histories.values.joined().map { entry in
                let height = entry.height ?? 0
                let confirmations = entry.height == nil ? 0 : max(1, told.height - height + 1)
                return
                    #"{"txid":"\#(entry.transactionID)","confirmations":\#(confirmations),"blockheight":\#(height)}"#
            }
            return #"{"transactions":[\#(entries.joined(separator: ","))]}"#
        case "gettransaction", "getrawtransaction":
            let id = (parameters.first as? String).flatMap { TransactionID(parsing: $0) }
            let text = hex(id.flatMap { told.transactions[$0] })
            return method == "gettransaction" ? #"{"hex":\#(text)}"# : text
        default: return "null"
        }
    }
}

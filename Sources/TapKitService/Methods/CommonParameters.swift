import Bitcoin
import ExplainedErrors
import TapManager

/// Parameters that several methods have.
enum Common {
    static let network = Parameter.word(
        "network", Network.allCases.map(\.rawValue),
        "The network; default: what the card, the wallet or the transaction says.")
    static let wallet = Parameter.text("wallet", "The wallet's name.").required
    static let id = Parameter.text("id", "The transaction's id, or at least 4 digits of its beginning.").required
    static let psbt = Parameter.text("psbt", "The PSBT: Base64 or hexadecimal.")
    static let offline = Parameter.flag("offline", "Whether no chain server is asked.")
    static let feeRate = Parameter.text(
        "sat_per_vb", "The fee rate, as a string such as \"12.5\"; default: ask the chain server.")
    static let target = Parameter.number(
        "target", FeeChoice.targets,
        "Without sat_per_vb: ask the chain server for a rate that confirms within this many blocks; default: 6.")
    static let strict = Parameter.flag(
        "strict", "Whether inputs are refused whose amount is not proven by their previous transaction.")

    /// The requested network.
    static func network(_ arguments: Arguments) throws(RPCFault) -> Network? {
        try arguments.optional(network).flatMap { Network(rawValue: $0) }
    }

    /// The fee that was asked for.
    static func fee(_ arguments: Arguments) throws -> FeeChoice {
        let target = try arguments.optional(target)
        guard let text = try arguments.optional(feeRate) else { return target.map { .target(blocks: $0) } ?? .usual }
        guard target == nil else { throw RPCFault(.invalidParams, "Give sat_per_vb or target, not both.") }
        guard let rate = try? FeeRate(parsing: text) else {
            throw RPCFault(.invalidParams, "The parameter sat_per_vb must be a string such as \"12.5\".")
        }
        return .rate(rate)
    }

    /// An address of a network.
    static func address(_ text: String, on network: Network) throws -> Address {
        do { return try Address(parsing: text, network: network) } catch {
            throw BadInput(
                error.isOfOtherNetwork ? .wrongNetwork : .badAddress, "This is not an address of \(network).")
        }
    }
}

/// Something that a client gave is not what it must be.
struct BadInput: ExplainedError {
    let code: ErrorCode
    let message: String

    init(_ code: ErrorCode, _ message: String) { (self.code, self.message) = (code, message) }
}

extension AddressError {
    fileprivate var isOfOtherNetwork: Bool { if case .wrongNetwork = self { true } else { false } }
}

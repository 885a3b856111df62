import Bitcoin
import TapManager

/// The fee of a transaction that is built.
struct FeeArguments: Sendable {
    private static let rate = Parameter.text(
        "sat_per_vb", "The fee rate, as a string such as \"12.5\"; default: ask the chain server.")
    private static let target = Parameter.number(
        "target", FeeChoice.targets,
        "Without sat_per_vb: ask the chain server for a rate that confirms within this many blocks; default: 6.")
    static let parameters: [any ParameterDescription] = [rate, target]

    let choice: FeeChoice

    init(_ arguments: Arguments) throws(RPCFault) {
        let target = try arguments.optional(Self.target)
        guard let text = try arguments.optional(Self.rate) else {
            choice = target.map { .target(blocks: $0) } ?? .usual
            return
        }
        guard target == nil else { throw RPCFault(.invalidParams, "Give sat_per_vb or target, not both.") }
        guard let rate = try? FeeRate(parsing: text) else {
            throw RPCFault(.invalidParams, "The parameter sat_per_vb must be a string such as \"12.5\".")
        }
        choice = .rate(rate)
    }
}

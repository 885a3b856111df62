import ArgumentParser
import Bitcoin
import TapManager

/// The fee rate of a transaction.
struct FeeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The fee rate in satoshis per virtual byte, with up to three decimals.", valueName: "rate"))
    var feeRate: String?

    @Option(
        help: ArgumentHelp(
            "Without --fee-rate: ask the chain server for a rate that confirms within this many blocks; default: 6.",
            valueName: "blocks"))
    var target: Int?

    /// Refuses invalid values before anything is asked.
    func check() throws(Failure) {
        _ = try given()
        guard feeRate == nil || target == nil else {
            throw Failure(.usage, "--fee-rate and --target cannot be used together.")
        }
        let targets = FeeChoice.targets
        guard targets.contains(target ?? targets.lowerBound) else {
            throw Failure(.usage, "--target takes \(targets.lowerBound) to \(targets.upperBound) blocks.")
        }
    }

    /// The choice.
    /// - Throws: `Failure.badFeeRate`.
    func choice() throws(Failure) -> FeeChoice {
        if let rate = try given() { return .rate(rate) }
        return target.map { .target(blocks: $0) } ?? .usual
    }

    /// The given rate; `nil`: none.
    private func given() throws(Failure) -> FeeRate? {
        try feeRate.map { text throws(Failure) in try FeeRate(typed: text) }
    }
}

extension FeeRate {
    /// Parses a rate that was typed.
    /// - Throws: `Failure.badFeeRate`.
    init(typed text: String) throws(Failure) {
        do { self = try FeeRate(parsing: text) } catch {
            throw Failure(error, about: "“\(text)” is not a valid fee rate")
        }
    }
}

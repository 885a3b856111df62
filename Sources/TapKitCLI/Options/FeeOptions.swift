import ArgumentParser
import Bitcoin
import TapManager

/// What is paid for a transaction's size.
struct FeeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Satoshis per virtual byte, with at most three decimals.", valueName: "rate"))
    var feeRate: String?

    @Option(
        help: ArgumentHelp(
            "Without --fee-rate: ask the chain server for the rate that gets into one of so many blocks; default: 6.",
            valueName: "blocks"))
    var target: Int?

    /// Refuses what makes no sense before anything is asked.
    func check() throws(Failure) {
        _ = try given()
        guard feeRate == nil || target == nil else {
            throw Failure(.usage, "--fee-rate and --target exclude each other.")
        }
        let targets = FeeChoice.targets
        guard targets.contains(target ?? targets.lowerBound) else {
            throw Failure(.usage, "--target is \(targets.lowerBound) to \(targets.upperBound) blocks.")
        }
    }

    /// What was chosen.
    /// - Throws: `Failure.badFeeRate`.
    func choice() throws(Failure) -> FeeChoice {
        if let rate = try given() { return .rate(rate) }
        return target.map { .target(blocks: $0) } ?? .usual
    }

    /// The rate that was given; `nil`: none.
    func given() throws(Failure) -> FeeRate? {
        try feeRate.map { text throws(Failure) in try FeeRate(typed: text) }
    }
}

extension FeeRate {
    /// Reads a rate as somebody typed it.
    /// - Throws: `Failure.badFeeRate`.
    init(typed text: String) throws(Failure) {
        do { self = try FeeRate(parsing: text) } catch {
            throw Failure(error, about: "“\(text)” is no fee rate")
        }
    }
}

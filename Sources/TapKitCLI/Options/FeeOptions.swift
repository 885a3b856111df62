import ArgumentParser
import Bitcoin
import ChainData

/// What is paid for a transaction's size.
struct FeeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Satoshis per virtual byte, with at most three decimals.", valueName: "rate"))
    var feeRate: String?

    @Option(
        help: ArgumentHelp(
            "Without --fee-rate: ask the chain server for the rate that gets into one of so many blocks; default: 6.",
            valueName: "blocks"))
    var target: Int?

    /// About an hour.
    private static let usualTarget = 6
    private static let largestTarget = 1_008
    /// A rate above this must come from the person. Spec: threats, "The chain server", "Fees: bounded".
    private static let mostBelieved = FeeRate(satoshisPerKiloVirtualByte: 500_000) ?? .relay

    /// Refuses what makes no sense before anything is asked.
    func check() throws(Failure) {
        _ = try given()
        guard feeRate == nil || target == nil else {
            throw Failure(.usage, "--fee-rate and --target exclude each other.")
        }
        guard (1...Self.largestTarget).contains(target ?? 1) else {
            throw Failure(.usage, "--target is 1 to \(Self.largestTarget) blocks.")
        }
    }

    /// The rate that was given, or else the server's for the target.
    /// - Throws: `Failure`: `.feeNeeded` when neither is to be had, what the server's failures are.
    func rate(from source: (any ChainSource)?, console: Console) async throws(Failure) -> FeeRate {
        if let rate = try given() { return rate }
        guard let source else { throw Failure(.feeNeeded, "There is no fee rate, and no chain server to ask for one.") }
        let blocks = target ?? Self.usualTarget
        let (estimate, minimum): (FeeRate?, FeeRate)
        do throws(ChainError) {
            estimate = try await source.feeRate(targetBlocks: blocks)
            minimum = try await source.minimumFeeRate()
        } catch { throw Failure(error) }
        guard let estimate else { throw Failure(.feeNeeded, "The chain server has no estimate of fees.") }
        let rate = max(estimate, minimum)
        guard rate <= Self.mostBelieved else {
            throw Failure(
                .feeTooHigh, "The chain server names a fee rate of \(rate), more than is taken from a server.",
                hint: "If that is right, say so: --fee-rate \(rate.satoshisPerVirtualByteText).")
        }
        console.note("Fee rate for \(blocks) block\(blocks == 1 ? "" : "s"), says the server: \(rate)")
        return rate
    }

    /// The rate that was given; `nil`: none.
    func given() throws(Failure) -> FeeRate? {
        guard let feeRate else { return nil }
        do { return try FeeRate(parsing: feeRate) } catch {
            throw Failure(.badFeeRate, "“\(feeRate)” is no fee rate: \(error).")
        }
    }
}

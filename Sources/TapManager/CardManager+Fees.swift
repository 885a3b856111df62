import Bitcoin
import ChainData

/// Fee rates.
extension CardManager {
    /// The chosen rate, or else the one that the network's chain server expects to be enough, of which the user is
    /// informed.
    /// - Parameter network: the one that the transaction is for.
    /// - Throws: `ErrorCode.feeNeeded` if there is none, `ErrorCode.feeTooHigh` for a rate too high to accept from a
    ///   server, and why the server failed.
    package nonisolated func feeRate(_ choice: FeeChoice, on network: Network) async throws -> FeeRate {
        let blocks: Int
        switch choice {
        case .rate(let rate): return rate
        case .target(let target): blocks = target
        }
        let rate = try await chain.during { servers in
            guard let source = try servers.source(on: network) else { throw FeeError.noServer }
            let (estimate, minimum): (FeeRate?, FeeRate)
            do throws(ChainError) {
                estimate = try await source.feeRate(targetBlocks: blocks)
                minimum = try await source.minimumFeeRate()
            } catch { throw FeeError.chain(error) }
            return try FeeChoice.rate(estimate: estimate, minimum: minimum)
        }
        interaction.notice(.feeRate(rate, blocks: blocks))
        return rate
    }
}

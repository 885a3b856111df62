import Bitcoin
import ChainData

/// What is paid for transactions.
extension CardManager {
    /// The rate that was chosen, or else the one that the network's chain server expects to be enough, which the person is told.
    /// - Parameter network: the one that the transaction is for.
    /// - Throws: `ErrorCode.feeNeeded` where none is to be had, `ErrorCode.feeTooHigh` for a rate that is not taken from a
    ///   server, and why the server failed.
    public nonisolated func feeRate(
        _ choice: FeeChoice, on network: Network
    ) async throws -> FeeRate {
        let blocks: Int
        switch choice {
        case .rate(let rate): return rate
        case .target(let target): blocks = target
        }
        guard let source = try chain.source(on: network) else { throw FeeError.noServer }
        let (estimate, minimum): (FeeRate?, FeeRate)
        do throws(ChainError) {
            estimate = try await source.feeRate(targetBlocks: blocks)
            minimum = try await source.minimumFeeRate()
        } catch { throw FeeError.chain(error) }
        let rate = try FeeChoice.rate(estimate: estimate, minimum: minimum)
        interaction.notice(.feeRate(rate, blocks: blocks))
        return rate
    }
}

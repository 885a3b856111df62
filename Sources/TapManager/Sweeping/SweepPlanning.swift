import Bitcoin
import ChainData

/// Plans a sweep, or continues the one that an interrupted run stored.
struct SweepPlanning {
    /// A plan, and what is stored for it.
    struct Planned {
        let plan: SweepPlan
        /// What to store first; `nil`: it is stored.
        var new: StoredTransaction?
        /// An unsigned stored sweep that it replaces.
        var replaced: TransactionID?
    }

    let manager: CardManager
    let order: SweepOrder
    let source: any ChainSource
    var policy = SigningPolicy()

    /// How far the fee of a stored sweep may differ from the requested one, in satoshis: signatures differ by a byte.
    private static let feeTolerance: Int64 = 2

    /// The plan for these coins.
    /// - Parameter generator: the source of randomness for a new one's order and lock time.
    /// - Throws: `SweepError`: `.nothingArrives`, `.otherSigned`; `StoreError`, `FeeError`, `CreationError`,
    ///   `ChainError`.
    func plan(
        _ sources: [SweepPlan.Source], using generator: inout some RandomNumberGenerator
    ) async throws -> Planned {
        let destination = order.destination
        guard let stored = try manager.store.sweep(of: sources, to: destination.scriptPubKey) else {
            return planned(try await newPlan(sources, using: &generator))
        }
        var fresh: SweepPlan?
        if case .rate = order.fee { fresh = try await newPlan(sources, using: &generator) }
        if isSame(stored, as: fresh, of: sources) {
            let height = if let known = fresh?.review.knownHeight { known } else { try await tipToShow() }
            manager.interaction.notice(.resumingSweep(stored.id))
            return Planned(
                plan: try SweepPlan(
                    resuming: stored.psbt, sources, network: destination.network, policy: policy, tip: height))
        }
        guard stored.leftHere == nil, SignatureTally(stored.psbt).present == 0 else {
            throw SweepError.otherSigned(stored.id)
        }
        if fresh == nil { fresh = try await newPlan(sources, using: &generator) }
        guard let fresh else { throw CreationError.notSpendable }
        return planned(fresh, replacing: stored.id)
    }

    /// Whether a stored sweep is what is requested now.
    /// - Parameter fresh: the plan at the given fee rate; `nil` if none was given, so that any rate will do.
    private func isSame(
        _ stored: StoredTransaction, as fresh: SweepPlan?, of sources: [SweepPlan.Source]
    ) -> Bool {
        let spent = Set(stored.psbt.unsignedTransaction.inputs.map(\.outpoint))
        guard let fresh else {
            return Set(sources.flatMap { $0.coins.map(\.outpoint) }).isSubset(of: spent)
                || coinsWorthTheirFee(in: stored, of: sources)?.isSubset(of: spent) ?? false
        }
        guard let fee = stored.psbt.claimedFee else { return false }
        return Set(fresh.psbt.unsignedTransaction.inputs.map(\.outpoint)) == spent
            && abs(fee.satoshis - fresh.review.fee.fee.satoshis) <= Self.feeTolerance
    }

    /// The coins that are worth their fee at a stored sweep's rate. Others do not make it another sweep: anybody can pay
    /// coins like that to a slot, also between two runs.
    /// - Returns: `nil` if they cannot be swept like that.
    private func coinsWorthTheirFee(
        in stored: StoredTransaction, of sources: [SweepPlan.Source]
    ) -> Set<Outpoint>? {
        let destination = order.destination
        guard let fee = try? SweepPlan(resuming: stored.psbt, sources, network: destination.network).review.fee,
            let rate = FeeRate(fee: fee.fee, virtualSize: Int(fee.virtualSize))
        else { return nil }
        // Chance decides only on the order and the lock time, which are not used.
        var generator = SystemRandomNumberGenerator()
        let plan = try? SweepPlan(sources, to: destination, feeRate: rate, tip: 0, using: &generator)
        return plan.map { Set($0.psbt.unsignedTransaction.inputs.map(\.outpoint)) }
    }

    private func newPlan(
        _ sources: [SweepPlan.Source], using generator: inout some RandomNumberGenerator
    ) async throws -> SweepPlan {
        let destination = order.destination
        let rate = try await manager.feeRate(order.fee, on: destination.network)
        let tip = try await tip()
        do throws(CreationError) {
            return try SweepPlan(
                sources, to: destination, feeRate: rate, tip: tip,
                lockHeight: HeightEstimate.lock(tip, on: destination.network, at: manager.now), policy: policy,
                using: &generator)
        } catch {
            switch error {
            case .building(.selection(.noneEconomical)), .building(.selection(.insufficient)):
                throw SweepError.nothingArrives
            default: throw error
            }
        }
    }

    /// The height of the last block.
    private func tip() async throws -> Int {
        let tip = try await source.tip()
        try tip.requirePlausible(on: order.destination.network, at: manager.now)
        return tip.height
    }

    /// The height of the last block, for a review; `nil` if the server does not tell: what is signed already does not depend
    /// on it.
    private func tipToShow() async throws -> Int? {
        do { return try await tip() } catch let error as ChainError {
            if case .cancelled = error { throw error }
            return nil
        }
    }

    private func planned(_ plan: SweepPlan, replacing old: TransactionID? = nil) -> Planned {
        let time = manager.now
        let new = StoredTransaction(
            psbt: plan.psbt, network: order.destination.network, note: "sweep", created: time, updated: time,
            drains: true)
        return Planned(plan: plan, new: new, replaced: old)
    }
}

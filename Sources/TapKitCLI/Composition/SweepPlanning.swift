import Bitcoin
import ChainData
import TapManager

/// Plans a sweep, or goes on with the one that an interrupted run stored.
struct SweepPlanning {
    /// A plan, and what is stored of it.
    struct Planned {
        let plan: SweepPlan
        /// What is to be stored first; `nil`: it is.
        let new: StoredTransaction?
        /// An unsigned stored sweep whose place it takes.
        var replaced: TransactionID?
    }

    let options: GlobalOptions
    let fees: FeeOptions
    let source: any ChainSource
    let store: any Store

    /// How far the fee of a stored sweep may be from what was asked for: signatures differ by a byte.
    private static let feeTolerance: Int64 = 2

    /// The plan for these coins.
    /// - Throws: `Failure`: `.coinsTaken`, `.feeTooHigh`, `.feeNeeded`, and what the server's failures are.
    func plan(_ found: SweepChoice.Found, to destination: Address) async throws -> Planned {
        let earlier: StoredTransaction?
        do throws(StoreError) {
            earlier = try store.sweep(of: found.sources, to: destination.scriptPubKey)
        } catch { throw Failure(error) }
        guard let stored = earlier else {
            let plan = try await newPlan(found, to: destination)
            return Planned(plan: plan, new: transaction(plan, destination))
        }
        let id = stored.id.abbreviated
        let fresh = try fees.given() == nil ? nil : await newPlan(found, to: destination)
        if isSame(stored, as: fresh, of: found) {
            options.console.note("Going on with the stored transaction \(id).")
            do throws(CreationError) {
                let plan = try SweepPlan(resuming: stored.psbt, found.sources, network: destination.network)
                return Planned(plan: plan, new: nil)
            } catch { throw Failure(error) }
        }
        guard stored.sent == nil, SignatureTally(stored.psbt).present == 0 else {
            throw Failure(
                .coinsTaken,
                "The stored sweep \(id) is signed already, and is another one: it spends other coins of the slots, or pays "
                    + "another fee.",
                hint: "tapkit tx broadcast \(id) sends it; tapkit tx delete \(id) forgets it, for a new one.")
        }
        var plan = fresh
        if plan == nil { plan = try await newPlan(found, to: destination) }
        guard let plan else { throw Failure(CreationError.notSpendable) }
        return Planned(plan: plan, new: transaction(plan, destination), replaced: stored.id)
    }

    /// Whether a stored sweep is what is asked for now.
    /// - Parameter fresh: the plan at the fee rate that was given; `nil` when none was: then any will do.
    private func isSame(
        _ stored: StoredTransaction, as fresh: SweepPlan?, of found: SweepChoice.Found
    ) -> Bool {
        let spent = Set(stored.psbt.unsignedTransaction.inputs.map(\.outpoint))
        guard let fresh else {
            return Set(found.sources.flatMap { $0.coins.map(\.outpoint) }).isSubset(of: spent)
        }
        guard let fee = stored.psbt.claimedFee else { return false }
        return Set(fresh.psbt.unsignedTransaction.inputs.map(\.outpoint)) == spent
            && abs(fee.satoshis - fresh.review.fee.fee.satoshis) <= Self.feeTolerance
    }

    private func newPlan(_ found: SweepChoice.Found, to destination: Address) async throws -> SweepPlan {
        let rate = try await fees.rate(from: source, console: options.console)
        let tip: ChainTip
        do throws(ChainError) {
            tip = try await source.tip()
            try tip.requirePlausible(on: destination.network, at: .now())
        } catch { throw Failure(error) }
        var generator = SystemRandomNumberGenerator()
        do throws(CreationError) {
            return try SweepPlan(found.sources, to: destination, feeRate: rate, tip: tip.height, using: &generator)
        } catch {
            guard case .building(.selection(let reason)) = error else { throw Failure(error) }
            throw SweepChoice.failure(reason)
        }
    }

    private func transaction(_ plan: SweepPlan, _ destination: Address) -> StoredTransaction {
        let time = UnixTime.now()
        return StoredTransaction(
            psbt: plan.psbt, network: destination.network, note: "sweep", created: time, updated: time, drains: true)
    }
}

import Bitcoin
import ChainData
import TapManager
import TapProtocol

/// Which slots of a SATSCARD are swept, and whether that makes sense.
struct SweepChoice {
    /// The slots that are looked at.
    private let reports: [SlotReport]
    /// Addresses of the card that others may take money from, now or after the sweep.
    private let knownScripts: Set<Script>
    private let network: Network
    /// The sealed slot among them.
    var sealed: SlotReport? { reports.first { $0.state == .sealed } }

    /// What lies in the slots.
    struct Found {
        let sources: [SweepPlan.Source]
        /// What is left out, for people.
        let notes: [String]
    }

    /// - Parameters:
    ///   - reports: of every slot.
    ///   - named: the only one that is wanted.
    ///   - takesSealed: whether the sealed one is taken too.
    /// - Throws: `Failure`: `.noSuchSlot`, `.slotUnused`, `.nothingToSweep` when no slot was opened.
    init(
        _ reports: [SlotReport], named: SlotNumber?, takesSealed: Bool, network: Network
    ) throws(Failure) {
        self.network = network
        if let named {
            guard let report = reports.first(where: { $0.slot == named }) else {
                throw Failure(FlowError.noSuchSlot(named, count: reports.count))
            }
            guard report.address != nil else { throw Failure(FlowError.slotUnused(named)) }
            self.reports = [report]
        } else {
            self.reports = reports.filter { $0.state == .unsealed || takesSealed && $0.state == .sealed }
        }
        let chosen = Set(self.reports.map(\.slot))
        knownScripts = Set(
            reports.filter { $0.state == .unsealed || chosen.contains($0.slot) }.compactMap { $0.address?.scriptPubKey }
        )
        guard !self.reports.isEmpty else {
            throw Failure(
                .nothingToSweep, "No slot of the card was opened.",
                hint: "--all or --slot takes the sealed one, and opens it for good.")
        }
    }

    /// Refuses an address whose key is known after the sweep.
    func requireSafe(_ destination: Address) throws(Failure) {
        guard knownScripts.contains(destination.scriptPubKey) else { return }
        throw Failure(CreationError.opensDestination(destination))
    }

    /// Asks what lies at the addresses, all at once.
    /// - Throws: `Failure`: `.nothingToSweep`, and what the server's failures are.
    func coins(from source: any ChainSource, allowsUnconfirmed: Bool) async throws(Failure) -> Found {
        let places = reports.compactMap { report in report.address.map { (report, $0) } }
        let coins: [[ChainCoin]]
        do throws(ChainError) { coins = try await source.coins(of: places.map(\.1.scriptPubKey)) } catch {
            throw Failure(error)
        }
        var notes: [String] = []
        var sources: [SweepPlan.Source] = []
        guard Amount.sum(coins.joined().map(\.amount)) != nil else {
            throw Failure(.chainLied, "The coins that the server tells of are more money than there is.")
        }
        var waiting: Int64 = 0
        for ((report, address), all) in zip(places, coins) {
            let ready = all.filter { $0.height != nil || allowsUnconfirmed }
            waiting += all.reduce(0) { $0 + ($1.height == nil && !allowsUnconfirmed ? $1.amount.satoshis : 0) }
            guard !ready.isEmpty else { continue }
            let shown = Address(scriptPubKey: address.scriptPubKey, network: network) ?? address
            sources.append(SweepPlan.Source(slot: report.slot, address: shown, coins: ready))
        }
        guard !sources.isEmpty else {
            throw waiting > 0
                ? Failure(
                    .nothingToSweep, "\(waiting) sat are unconfirmed, and nothing else lies there.",
                    hint: "Wait for a block; --unconfirmed takes them now.")
                : Failure(.nothingToSweep, "Nothing lies in the slots, says \(source.name).")
        }
        if waiting > 0 { notes.append("\(waiting) sat are unconfirmed and stay; --unconfirmed takes them, too.") }
        return Found(sources: sources, notes: notes)
    }

    /// Why no sweep can be built.
    static func failure(_ error: CoinSelectionError) -> Failure {
        switch error {
        case .noneEconomical, .insufficient:
            Failure(
                .feeTooHigh,
                "At this fee rate nothing would arrive: the fee is larger than what lies there, or would "
                    + "leave only dust.", hint: "Use a lower --fee-rate, or wait until fees are lower.")
        default: Failure(error)
        }
    }
}

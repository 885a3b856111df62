import ArgumentParser
import Bitcoin
import ChainData
import TapManager
import TapProtocol

/// `tapkit sweep`: takes everything out of a SATSCARD's slots, signed by the card.
struct SweepVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep", abstract: "SATSCARD: send what lies in its slots to an address, signed by the card.",
        discussion: """
            Without --slot: from all opened slots; --all: from the sealed one, too, which is opened for good. That comes \
            last: before it, the coins, the fee and the address are checked, and you are asked.

            The transaction is kept in the local store; --broadcast sends it at once, tapkit tx broadcast later. \
            Interrupted, run the same command again.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var fees: FeeOptions

    @Option(
        help: ArgumentHelp(
            "Where everything goes: an address, or a bitcoin: link without an amount.", valueName: "address"))
    var to: String

    @Option(help: ArgumentHelp("Only this slot, counted from 1; if it is sealed, it is opened.", valueName: "number"))
    var slot: Int?

    @Flag(help: "Every slot, the sealed one included.")
    var all = false

    @Flag(help: "Also take what is unconfirmed: whoever paid it may still take it back.")
    var unconfirmed = false

    @Flag(help: "Send the transaction at once.")
    var broadcast = false

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Also write the signed PSBT to this file.", valueName: "file"))
    var output: String?

    func run() async throws {
        try fees.check()
        guard slot == nil || !all else { throw Failure(.usage, "--slot and --all exclude each other.") }
        let number = try slot.map { number throws(Failure) in try SlotArgument.parse(number) }
        let givenCVC = try options.cvcOptions.fromFile()
        let access = try await CardAccess.open(options)
        guard access.status.product == .satscard else {
            throw Failure(FlowError.wrongProduct(access.status.product, task: "sweep its slots"))
        }
        let network = try access.shownNetwork(options)
        let destination = try destination(on: network)
        let manager = try options.manager()
        let card = try WatchedCard(access, options, manager)
        let reports = try await card.progress.during { () throws(FlowError) in
            try await SlotsFlow(gate: card.gate, cvc: nil).all()
        }
        let choice = try SweepChoice(reports, named: number, takesSealed: all, network: network)
        try choice.requireSafe(destination)
        let source = try options.requiredChainSource(for: network, to: "find what lies in the slots")
        let found = try await choice.coins(from: source, allowsUnconfirmed: unconfirmed)
        for note in found.notes { options.console.note(note) }
        let (plan, isNew) = try await plan(found, to: destination, source, manager)
        let desk = SigningDesk(options, .stored(stored(plan, destination, manager), copy: output), isExtracting: false)
        let opened = choice.sealed.flatMap { plan.slots.contains($0.slot) ? $0 : nil }
        try confirm(plan, opening: opened, access, desk)
        let cvc = try givenCVC ?? options.cvcOptions.ask(for: access.label)
        if isNew {
            do throws(StoreError) {
                try manager.store.create(stored(plan, destination, manager), replacing: nil)
            } catch { throw Failure(error) }
        }
        if let opened { try await open(opened, card, cvc: cvc, desk: desk, plan) }
        let outcome = try await card.progress.during { () async in await manager.sweep(card.gate, cvc: cvc, plan: plan)
        }
        var end = SigningEnd(
            result: SigningResult(outcome.psbt, added: outcome.added), plan: plan.shown,
            signers: [
                .init(
                    ident: access.status.ident.text,
                    fingerprint: plan.slots.map { "slot \($0)" }.joined(separator: ", "),
                    signed: outcome.added)
            ], interruption: outcome.interruption.map { Failure($0) }, isBetweenSigners: true,
            isSimulated: card.isSimulated)
        if opened != nil, end.interruption == nil { try? manager.finishUnsealing(card.gate) }
        if broadcast, end.interruption == nil, end.result.transaction != nil {
            do throws(Failure) {
                _ = try await Broadcast(manager: manager).send(transaction(plan, manager), to: source)
                end.sentTo = source.name
            } catch {
                let id = plan.psbt.unsignedTransaction.id.abbreviated
                throw error.prefixed("Signed and stored, but not sent: ", hint: "tapkit tx broadcast \(id) sends it.")
            }
        }
        await source.close()
        try desk.finish(end)
        if !options.isJSON, !broadcast, end.result.transaction != nil {
            options.console.note("Stored. Next: tapkit tx broadcast \(plan.psbt.unsignedTransaction.id.abbreviated)")
        }
    }

    private func destination(on network: Network) throws(Failure) -> Address {
        let payment = try PaymentArgument(to, network: network)
        guard payment.amount == nil else {
            throw Failure(.usage, "A sweep sends everything: --to has an address, and no amount.")
        }
        return payment.address
    }

    /// A plan for these coins, or for the transaction that an interrupted run stored.
    private func plan(
        _ found: SweepChoice.Found, to destination: Address, _ source: any ChainSource, _ manager: TapManager
    ) async throws -> (plan: SweepPlan, isNew: Bool) {
        do {
            if let stored = try found.earlier(in: manager.store, to: destination.scriptPubKey) {
                options.console.note("Going on with the stored transaction \(stored.id.abbreviated).")
                return (
                    try SweepPlan(resuming: stored.psbt, found.sources, network: destination.network), false
                )
            }
            let rate = try await fees.rate(from: source, console: options.console)
            let tip: ChainTip
            do throws(ChainError) { tip = try await source.tip() } catch { throw Failure(error) }
            var generator = SystemRandomNumberGenerator()
            let plan = try SweepPlan(found.sources, to: destination, feeRate: rate, tip: tip.height, using: &generator)
            try SweepChoice.requireWorth(plan)
            return (plan, true)
        } catch CreationError.building(.selection(let error)) {
            throw SweepChoice.failure(error)
        }
    }

    private func confirm(
        _ plan: SweepPlan, opening sealed: SlotReport?, _ access: CardAccess, _ desk: SigningDesk
    ) throws {
        for line in ReviewText(plan.review, findings: plan.findings).lines {
            options.console.note(line)
        }
        if !plan.leftBehind.isEmpty {
            let count = plan.leftBehind.count
            options.console.note(
                "\(count) coin\(count == 1 ? "" : "s") cost more than \(count == 1 ? "it is" : "they are") worth and stay."
            )
        }
        let refusals = plan.findings.filter { $0.severity == .refusal }
        guard refusals.isEmpty else { throw Failure(FlowError.refused(SigningRefusal(findings: refusals))) }
        try desk.checkWritable()
        let slots = plan.slots.map(\.description).joined(separator: ", ")
        let question = "Sweep slot\(plan.slots.count == 1 ? "" : "s") \(slots) of \(access.label)"
        try Confirmation.require(
            sealed.map {
                "Open slot \($0.slot) for good, and \(question.prefix(1).lowercased())\(question.dropFirst())?"
            }
                ?? "\(question)?", isGiven: options.isConfirmed)
    }

    /// Opens the sealed slot.
    private func open(
        _ sealed: SlotReport, _ card: WatchedCard, cvc: CVC, desk: SigningDesk, _ plan: SweepPlan
    ) async throws {
        do {
            let unsealing = try card.manager.unsealingPlan(for: card.access.status)
            guard case .open(let slot, _) = unsealing, slot == sealed.slot else { return }
            let result = try await card.progress.during { () throws(FlowError) in
                try await card.manager.unseal(card.gate, cvc: cvc, plan: unsealing)
            }
            guard result.opened.address.scriptPubKey == sealed.address?.scriptPubKey else {
                throw Failure(.badProof, "The card opened another slot than slot \(sealed.slot).")
            }
        } catch {
            throw Failure(unexpected: error).prefixed("", hint: "Run the same command again to go on.")
        }
    }

    private func stored(_ plan: SweepPlan, _ destination: Address, _ manager: TapManager) -> StoredTransaction {
        StoredTransaction(
            psbt: plan.psbt, network: destination.network, note: "sweep", created: manager.now, updated: manager.now)
    }

    private func transaction(_ plan: SweepPlan, _ manager: TapManager) throws(Failure) -> StoredTransaction {
        try TransactionArgument.transaction(plan.psbt.unsignedTransaction.id.description, in: manager.store)
    }
}

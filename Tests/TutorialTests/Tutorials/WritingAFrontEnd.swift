import TapManager

/// What the window shows; events change it, and nothing else does.
actor Model {
    private(set) var cards: [SeenCard] = []
    private(set) var transactions: [TransactionSummary] = []
    private(set) var progress = ""

    /// Shows what there is, then follows what happens; from the start if it fell too far behind.
    func follow(_ manager: CardManager) async {
        var isBehind = true
        while isBehind {
            let (now, events) = manager.observe(watchingReaders: true)
            cards = now.readers.compactMap(\.card)
            transactions = now.transactions
            for await event in events { update(event, manager) }
            isBehind = events.isCutOff
        }
    }

    private func update(_ event: ManagerEvent, _ manager: CardManager) {
        switch event {
        case .reader(.cardInserted): Task { _ = try? await manager.cards() }
        case .card(.found(let card)): cards = cards.filter { $0 != card } + [card]
        case .card(.gone(let card)): cards.removeAll { $0 == card }
        case .flow(_, .signed(let done, let total)): progress = "\(done) of \(total) signed"
        case .flow(_, .waitingForCard(let ident)): progress = "Put \(ident) back on the reader"
        case .transaction: transactions = manager.snapshot().transactions
        default: break
        }
    }
}

/// A sheet that slides down and waits for a click or a typed CVC.
@MainActor protocol Sheet: Sendable {
    func isAgreed(to question: Question) async -> Bool
    func typedCVC(for request: CVCRequest) async -> CVC?
    func newCVC(for card: CardAtHand) async -> CVC?
    func show(_ notice: Notice)
}

/// The sheet as the manager's way to its person.
struct SheetInteraction: Interaction {
    let sheet: any Sheet

    func confirm(_ question: Question) async throws {
        guard await sheet.isAgreed(to: question) else { throw Declined() }
    }

    func cvc(for request: CVCRequest) async throws -> CVC {
        guard let cvc = await sheet.typedCVC(for: request) else { throw Declined() }
        return cvc
    }

    func newCVC(for card: CardAtHand, insteadOf present: CVC?) async throws -> CVC {
        guard let cvc = await sheet.newCVC(for: card) else { throw Declined() }
        return cvc
    }

    func notice(_ notice: Notice) {
        Task { await sheet.show(notice) }
    }
}

/// A manager that asks the chain server that was named for a network, as in `electrum:localhost:50001:t`.
func openManager(
    in folder: String, asking names: [Network: String], interaction: any Interaction
) throws -> CardManager {
    let servers = try names.mapValues { try ChainServer(parsing: $0) }
    return CardManager(
        store: try .file(in: folder, clock: UnixTime.now),
        chain: ChainServers { network in servers[network]?.open(network: network) }, interaction: interaction,
        clock: UnixTime.now)
}

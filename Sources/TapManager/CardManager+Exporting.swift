import Bitcoin

/// Accounts and wallets in formats that other programs import.
extension CardManager {
    /// A card's account in a format of other programs, proven by the card; for BSMS, with its key signed by itself.
    /// - Parameter network: the one on which the wallet will be used; `nil`: the card's.
    /// - Throws: `ErrorCode.notExportable` if the format cannot express the card's account, before a CVC is asked for;
    ///   `CardSearchError.wrongNetwork`, `FlowError`, and what the interaction throws.
    public nonisolated func export(
        _ card: CardAtHand, as order: ExportOrder, network: Network? = nil
    ) async throws -> Export {
        guard order.format.isOfCards else { throw ExportError.multisigOnly }
        let network = try card.network(asked: network)
        do { try await requirePath(of: card, for: order, network) } catch {
            await card.card.disconnect()
            throw error
        }
        guard order.format == .bsms else {
            return try Export(try await account(of: card), order, network: network, record: nil)
        }
        let (found, record) = try await keyRecord(
            of: card, token: order.token, description: order.label(of: card.status))
        return try Export(found, order, network: network, record: record)
    }

    /// Confirms that a format can express the account at the card's path, before a CVC is asked for. The card's status
    /// may be out of date, so the card is asked again before refusing.
    private nonisolated func requirePath(
        of card: CardAtHand, for order: ExportOrder, _ network: Network
    ) async throws {
        try CVCPurpose.readAccount.requireProduct(of: card)
        try await requireState(of: card, CVCPurpose.readAccount.obstacle)
        let driver = driver(for: card)
        let owed = try driver.journal.owedPath(from: card.status.path)
        guard let path = owed ?? card.status.path, order.obstacle(at: path, network) != nil else { return }
        let status = try await driver.perform { try $0.refreshStatus() }
        if let path = owed ?? status.path, let obstacle = order.obstacle(at: path, network) { throw obstacle }
    }

    /// A stored wallet in a format of other programs. By default they search the whole chain for its payments: when the
    /// first one came is only the server's claim. Bitcoin Core is told to watch every address that is known to be used,
    /// and those that a search would try after it.
    /// - Throws: `ErrorCode.notExportable` if the format cannot express the wallet.
    public nonisolated func export(_ opened: OpenedWallet, as order: ExportOrder) throws -> Export {
        // Without a readable answer of a chain server, Core watches as many as it does by default.
        let chain = (try? store.chain(of: opened.stored.name, on: opened.wallet.network)).flatMap { $0 }
        let source = ExportSource(opened.wallet, chain)
        return Export(text: try source.text(order), of: source, order)
    }
}

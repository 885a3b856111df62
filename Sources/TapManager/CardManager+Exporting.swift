import Bitcoin

/// Accounts and wallets as other programs import them.
extension CardManager {
    /// A card's account in a format of other programs, proven by the card; for BSMS its key signed with it.
    /// - Parameter network: the one that the wallet is to be used on; `nil`: the card's.
    /// - Throws: `ExportError` where the format has no way to tell the card's account, `CardSearchError.wrongNetwork`,
    ///   `FlowError`, and what the interaction throws.
    package nonisolated func export(
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

    /// Confirms that a format can tell the account at the card's path, before anybody is asked for a CVC. What the card said when
    /// it was found may be out of date, so it is asked once more before it is refused.
    private nonisolated func requirePath(
        of card: CardAtHand, for order: ExportOrder, _ network: Network
    ) async throws {
        try CVCPurpose.readAccount.requireProduct(of: card)
        try await requireState(of: card, CVCPurpose.readAccount.obstacle)
        let driver = driver(for: card)
        let owed = try driver.journal.owedPath()
        guard let path = owed ?? card.status.path, order.obstacle(at: path, network) != nil else { return }
        let status = try await driver.perform { try $0.refreshStatus() }
        if let path = owed ?? status.path, let obstacle = order.obstacle(at: path, network) { throw obstacle }
    }

    /// A wallet of the store in a format of other programs.
    /// - Throws: `ExportError` where the format has no way to tell the wallet, and why the store cannot be read.
    package nonisolated func export(_ opened: OpenedWallet, as order: ExportOrder) throws -> Export {
        let source = ExportSource(opened.wallet, birthHeight: try lastChain(of: opened)?.firstHeight)
        return Export(text: try source.text(order), of: source, order)
    }
}

extension WalletChain {
    /// The height of the wallet's first transaction; `nil` where the server that was asked tells no history.
    fileprivate var firstHeight: Int? { hasHistory ? transactions.compactMap(\.height).min() : nil }
}

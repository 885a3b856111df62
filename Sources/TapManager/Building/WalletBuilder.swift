import Bitcoin

/// Builds a wallet's transactions from the chain server's last answer. Pure: uses no store, server or clock.
package struct WalletBuilder: Sendable {
    private let wallet: WatchWallet
    private let chain: WalletChain
    private let taken: [Outpoint: TransactionID]
    private let frozen: Set<Outpoint>
    private let usedScripts: Set<Script>

    /// A builder for a wallet.
    /// - Parameters:
    ///   - taken: coins that stored transactions spend.
    ///   - frozen: coins that labels freeze; choosing them overrides that.
    ///   - usedScripts: scripts that stored transactions pay, so that each change gets an address of its own.
    package init(
        _ wallet: WatchWallet, _ chain: WalletChain, taken: [Outpoint: TransactionID] = [:],
        frozen: Set<Outpoint> = [], usedScripts: Set<Script> = []
    ) {
        self.wallet = wallet
        self.chain = chain
        self.taken = taken
        self.frozen = frozen
        self.usedScripts = usedScripts
    }

    /// Selects coins, and makes the PSBT with all the data that signers need.
    /// - Parameters:
    ///   - feeRate: what the order's fee choice amounts to.
    ///   - generator: the source of randomness for selection, order and lock time.
    /// - Throws: `CreationError`.
    package func build(
        _ order: WalletOrder, at feeRate: FeeRate, using generator: inout some RandomNumberGenerator
    ) throws(CreationError) -> (draft: TransactionDraft, psbt: PSBT) {
        try requireSound()
        let spendable = SpendableCoins(
            chain, taken: taken, frozen: frozen, allowsUnconfirmed: order.allowsUnconfirmed)
        let own = SpendableCoins.ownUnconfirmed(chain)
        let chosen = try order.coins.map { names throws(CreationError) in
            try named(names, trusting: order.allowsUnconfirmed ? nil : own)
        }
        let paths = wallet.spendingPaths
        let preimages = try KnownPreimages(order.preimages, for: paths)
        let choice = try SpendingPathChoice(
            order.path, of: paths, preimages, for: chosen ?? spendable.coins, height: chain.height,
            isChosen: chosen != nil, paying: SpendingPathChoice.sum(order.payments.lazy.map(\.amount.satoshis)),
            drains: order.drain != nil)
        if let path = choice.path, path.isTaprootScript { throw .taprootScript(path.number) }
        let coins = try choice.coins.map { coin throws(CreationError) in
            try self.coin(
                coin, isReliable: coin.height != nil || own.contains(coin.outpoint.transactionID),
                satisfactionWeight: choice.satisfactionWeight)
        }
        let remainder: TransactionRequest.Remainder
        if let drain = order.drain {
            remainder = .drain(Payment(to: drain, amount: .zero))
        } else {
            remainder = .change(try changeSpending())
        }
        var request = TransactionRequest(
            coins: coins, payments: order.payments, remainder: remainder, feeDemand: .rate(feeRate))
        request.requiredCoins = order.coins ?? []
        request.longTermFeeRate = order.longTermFeeRate
        request.lockTime = order.lockTime.map { .fixed($0) } ?? .discouragingFeeSniping(tip: chain.lockHeight)
        try choice.path?.lock(&request)
        request.order = order.order
        let draft: TransactionDraft
        do throws(BuildingError) { draft = try TransactionDraft(request, using: &generator) } catch {
            throw Self.explained(error, held: order.coins == nil ? spendable : nil)
        }
        var psbt = try psbt(draft, version: order.version)
        preimages.add(to: &psbt, for: choice.path)
        return (draft, psbt)
    }

    /// Makes the replacement of an unconfirmed transaction.
    /// - Parameters:
    ///   - old: its PSBT.
    ///   - drains: whether its only output takes everything that its coins are worth, minus the fee.
    ///   - isDue: whether it was given to a chain server, so that nobody wants it to wait for a later block.
    ///   - feeRate: what to pay, more than the old one.
    /// - Throws: `CreationError`.
    package func replacement(
        of old: PSBT, drains: Bool, isDue: Bool = false, feeRate: FeeRate, version: PSBT.Version,
        using generator: inout some RandomNumberGenerator
    ) throws(CreationError) -> (draft: TransactionDraft, psbt: PSBT) {
        try requireSound()
        let transaction = old.unsignedTransaction
        let replaced = try ReplacedPSBT(old)
        try requireUnconfirmed(transaction)
        let lockTime = isDue ? dueLockTime(replacing: transaction.lockTime) : transaction.lockTime
        if drains {
            return try replaced.drain(
                feeRate: feeRate, lockTime: lockTime, extendedKeys: wallet.cosignerKeys, using: &generator)
        }
        let further = SpendableCoins(chain, taken: taken, frozen: frozen, allowsUnconfirmed: false)
        let change = transaction.outputs.indices.first { isChange(old.outputs[$0], transaction.outputs[$0]) }
        let changeSpending: SpendingInformation
        if let change {
            changeSpending = replaced.spending(ofOutput: change)
        } else {
            changeSpending = try self.changeSpending()
        }
        let draft: TransactionDraft
        do throws(BuildingError) {
            var coins: [Coin] = []
            // No unconfirmed coins (BIP-125, rule 2): the old transaction's outputs disappear with it.
            // Nor others when there is a relative lock: they may be too young for it.
            for coin in further.coins where coin.height != nil && transaction.relativeLock == nil {
                if let coin = try? self.coin(coin, isReliable: true) { coins.append(coin) }
            }
            var request = try TransactionRequest(
                replacing: transaction, spending: replaced.coins, remainderIndex: change,
                remainder: .change(changeSpending), ownOutputs: replaced.ownOutputs, furtherCoins: coins, rate: feeRate)
            request.lockTime = .fixed(lockTime)
            draft = try TransactionDraft(request, using: &generator)
        } catch { throw Self.explained(error, held: further) }
        var psbt = try psbt(draft, version: version, further: replaced.previousTransactions)
        KnownPreimages.carry(from: old, to: &psbt)
        return (draft, psbt)
    }

    /// The lock time of a replacement that could be in the next block: the old one's, but no later than the last block,
    /// unless a spending path that it opens takes that. A server that lied about the last block must not keep it waiting.
    private func dueLockTime(replacing old: UInt32) -> UInt32 {
        guard !TimeLock.isDate(old), !wallet.hasUnlistedPaths else { return old }
        let needed = wallet.spendingPaths.compactMap(\.path.lockTime).filter { $0 <= old }.max() ?? 0
        return min(old, max(chain.lockHeight, needed))
    }

    private func requireSound() throws(CreationError) {
        do throws(WalletError) { try wallet.requireSound() } catch { throw .wallet(error) }
    }

    // MARK: Coins

    /// - Parameter trusted: the unconfirmed transactions whose coins may be spent; `nil`: all.
    private func named(
        _ names: Set<Outpoint>, trusting trusted: Set<TransactionID>?
    ) throws(CreationError) -> [WalletCoin] {
        let own = Dictionary(chain.coins.map { ($0.outpoint, $0) }, uniquingKeysWith: { first, _ in first })
        var coins: [WalletCoin] = []
        for name in names.sorted(by: { $0.description < $1.description }) {
            guard let coin = own[name] else { throw .unknownCoin(name) }
            if let id = taken[name] { throw .takenCoin(name, by: id) }
            guard coin.isMature(at: chain.height) else { throw .immatureCoin(name) }
            if coin.height == nil, let trusted, !trusted.contains(name.transactionID) { throw .unconfirmedCoin(name) }
            coins.append(coin)
        }
        return coins
    }

    private func coin(
        _ coin: WalletCoin, isReliable: Bool, satisfactionWeight: Int? = nil
    ) throws(CreationError) -> Coin {
        guard let amount = coin.amount else { throw .building(.coinDiffers(coin.outpoint)) }
        let spending: SpendingInformation
        do throws(WalletError) { spending = try wallet.spending(at: coin.place) } catch { throw .wallet(error) }
        guard spending.satisfactionWeight != nil else { throw .notSpendable }
        return Coin(
            outpoint: coin.outpoint, amount: amount, spending: spending, isConfirmed: isReliable,
            satisfactionWeight: satisfactionWeight)
    }

    /// Adds what is held back, if that would have been enough.
    private static func explained(_ error: BuildingError, held: SpendableCoins?) -> CreationError {
        guard case .selection(let reason) = error, let held else { return .building(error) }
        let (needed, available): (Amount, Amount)
        switch reason {
        case .insufficient(let most, let there): (needed, available) = (most, there)
        case .noneEconomical where held.coins.isEmpty: (needed, available) = (.zero, .zero)
        default: return .building(error)
        }
        guard Amount.sum([held.taken, held.frozen, held.unconfirmed]) ?? .maximum > .zero else {
            return .building(error)
        }
        return .heldBack(
            needed: needed, available: available, taken: held.taken, frozen: held.frozen,
            unconfirmed: held.unconfirmed)
    }

    // MARK: Change

    /// How far after the last used address change may go, so that a scan of the wallet finds it.
    private static let changeReach = UInt32(WalletSync.usualGapLimit)

    /// An address of the wallet that nobody has paid and no stored transaction pays, if one is within the reach of
    /// every scan; otherwise the first that nobody has paid.
    private func changeSpending() throws(CreationError) -> SpendingInformation {
        guard let branch = wallet.changeBranch else { throw .notSpendable }
        let next = changeStart(branch)
        do throws(WalletError) {
            let first = try wallet.spending(at: branch.place(branch.isRanged ? next : 0))
            guard branch.isRanged else { return first }
            for index in next..<next + Self.changeReach {
                let spending = try wallet.spending(at: branch.place(index))
                if !usedScripts.contains(spending.scriptPubKey) { return spending }
            }
            return first
        } catch { throw .wallet(error) }
    }

    /// Where the search for a change address starts: after every used one, but within a scan's reach of the last one
    /// that the wallet's own keys paid. A server can invent deposits to any address; change after those would not be
    /// found by a new scan with an honest server.
    private func changeStart(_ branch: WatchWallet.Branch) -> UInt32 {
        let next = chain.nextIndex(descriptor: branch.descriptor, branch: branch.number)
        guard branch.isChange, chain.hasHistory else { return next }
        let signed = chain.signedCount(descriptor: branch.descriptor, branch: branch.number)
        return next < signed + Self.changeReach ? next : signed
    }

    /// Whether an output goes to a change address of the wallet, as its descriptors derive it.
    private func isChange(_ fields: PSBT.Output, _ output: TransactionOutput) -> Bool {
        wallet.place(of: output, fields).map { place in
            wallet.branches.contains { $0.descriptor == place.descriptor && $0.number == place.branch && $0.isChange }
                || wallet.changeBranch == wallet.receivingBranch
        } ?? false
    }

    // MARK: The PSBT

    private func psbt(
        _ draft: TransactionDraft, version: PSBT.Version, further: [PreviousTransaction] = []
    ) throws(CreationError) -> PSBT {
        let needed = Set(draft.coins.map(\.outpoint.transactionID))
        do {
            let previous = try chain.transactions.filter { needed.contains($0.id) }
                .map { try PreviousTransaction($0.transaction) }
            return try draft.psbt(
                previousTransactions: further + previous, version: version, extendedKeys: wallet.cosignerKeys)
        } catch let error as BuildingError {
            throw .building(error)
        } catch let error as PSBTError {
            throw .building(.psbt(error))
        } catch { throw .notSpendable }
    }

    /// Confirms that nothing the replacement would spend again or evict is in a block yet.
    private func requireUnconfirmed(_ transaction: Transaction) throws(CreationError) {
        let coins = Set(transaction.inputs.map(\.outpoint))
        guard
            let own = chain.transactions.first(where: { $0.transaction.inputs.contains { coins.contains($0.outpoint) } }
            )
        else { return }
        if own.height != nil { throw .confirmed(own.id) }
        let child = chain.transactions.first { entry in
            entry.transaction.inputs.contains { $0.outpoint.transactionID == own.id }
        }
        if let child { throw .hasDescendant(child.id) }
    }
}

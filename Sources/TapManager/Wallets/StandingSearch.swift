import Bitcoin

/// What became of stored transactions, according to those that a server has in blocks: which are there themselves, and
/// which spend a coin that another one there spends.
///
/// That one is in a block is only the server's claim. That one was replaced counts only for a coin of the user's own
/// that its keys are proven to have spent in the other transaction: the previous transaction, which hashes to its id,
/// pays one of the user's scripts, and the spend of it is valid. So no server can make up a replacement.
struct StandingSearch {
    private let entries: [WalletTransaction]
    /// The chain's height.
    private let tip: Int
    /// The user's scripts.
    private var own: Set<Script>
    /// Those of them whose spends the answer was checked for: what stored PSBTs teach is not among them.
    private let checked: Set<Script>
    /// Transactions whose spends of the user's coins from among them are proven already.
    private let proven: ToldTransactions
    /// Those, and the previous transactions that stored PSBTs have.
    private var parents: ToldTransactions

    /// - Parameter sent: transactions of the wallet that the server reports in addition.
    init(_ chain: WalletChain, and sent: [WalletTransaction] = []) {
        self.init(
            chain.transactions + sent, tip: chain.height, own: Set(chain.scripts.map(\.script)),
            told: ToldTransactions(chain), areSpendsProven: chain.areSpendsProven)
    }

    /// - Parameters:
    ///   - sent: stored transactions, with their signatures and the heights that a server reports.
    ///   - tip: the chain's height.
    ///   - own: the user's scripts.
    init(_ sent: [WalletTransaction], tip: Int, own: Set<Script>) {
        self.init(sent, tip: tip, own: own, told: ToldTransactions(), areSpendsProven: false)
    }

    private init(
        _ entries: [WalletTransaction], tip: Int, own: Set<Script>, told: ToldTransactions, areSpendsProven: Bool
    ) {
        // If several conflict with one, the one in the lowest block is named.
        self.entries = entries.filter { $0.height != nil }.sorted {
            ($0.height ?? .max, $0.id.description) < ($1.height ?? .max, $1.id.description)
        }
        self.tip = tip
        self.own = own
        checked = own
        proven = areSpendsProven ? told : ToldTransactions()
        parents = told
    }

    /// The coins of conflicts that are not known to be the user's.
    /// - Parameter spenders: the coins that stored transactions spend.
    func unknownCoins(among spenders: [Outpoint: Set<TransactionID>]) -> Set<Outpoint> {
        Set(
            mined(among: spenders).flatMap { mined in
                mined.coins.filter { !isOwn($0) && spenders[$0] != [mined.id] }
            })
    }

    /// Takes from a stored PSBT what some of its coins are. Only a previous transaction that hashes to the coin's id
    /// proves that.
    /// - Parameter wallet: finds more of the user's scripts; `nil`: those at hand are all.
    mutating func learn(_ coins: Set<Outpoint>, from psbt: PSBT, of wallet: WatchWallet?) {
        for (index, input) in psbt.unsignedTransaction.inputs.enumerated() where coins.contains(input.outpoint) {
            let id = input.outpoint.transactionID
            guard psbt.inputs.indices.contains(index), let previous = psbt.inputs[index].nonWitnessUTXO,
                previous.txid == id
            else { continue }
            if parents[id] == nil { parents[id] = try? Transaction(serialized: previous.bytes) }
            if let wallet, let output = parents.output(input.outpoint), wallet.place(ofInput: index, of: psbt) != nil {
                own.insert(output.scriptPubKey)
            }
        }
    }

    /// The state of those stored transactions that are in a block, or conflict with one that is.
    /// - Parameter spenders: the coins that stored transactions spend.
    func standings(among spenders: [Outpoint: Set<TransactionID>]) -> [TransactionID: ChainStanding] {
        let proof = SpendProof(of: own, in: parents)
        var standings: [TransactionID: ChainStanding] = [:]
        for mined in mined(among: spenders) {
            lazy var isSigned = Self.isSigned(mined.entry, proof)
            for coin in mined.coins {
                for spender in spenders[coin] ?? [] {
                    if spender == mined.id {
                        standings[spender] = ChainStanding(height: mined.height, tip: tip)
                    } else if standings[spender] == nil, isOwn(coin), isProven(coin, mined.entry.id) || isSigned {
                        standings[spender] = ChainStanding(
                            height: mined.height, tip: tip, replacedBy: mined.entry.id)
                    }
                }
            }
        }
        return standings
    }

    /// A transaction in a block that stored ones share coins with.
    private struct Mined {
        let entry: WalletTransaction
        let height: Int
        /// Its id without signatures.
        let id: TransactionID
        /// The coins that stored transactions spend, too.
        let coins: [Outpoint]
    }

    private func mined(among spenders: [Outpoint: Set<TransactionID>]) -> [Mined] {
        entries.compactMap { entry in
            let coins = entry.transaction.inputs.map(\.outpoint).filter { spenders[$0] != nil }
            guard let height = entry.height, !coins.isEmpty else { return nil }
            return Mined(entry: entry, height: height, id: entry.transaction.withoutSignatures.id, coins: coins)
        }
    }

    private func isOwn(_ coin: Outpoint) -> Bool {
        parents.output(coin).map { own.contains($0.scriptPubKey) } ?? false
    }

    /// Whether a transaction's spend of the user's coin is proven already.
    private func isProven(_ coin: Outpoint, _ id: TransactionID) -> Bool {
        proven[id] != nil && proven.output(coin).map { checked.contains($0.scriptPubKey) } ?? false
    }

    /// Whether a transaction's spends of the user's coins are valid, as far as those are known.
    private static func isSigned(_ entry: WalletTransaction, _ proof: SpendProof) -> Bool {
        guard proof.missing(for: entry.id, entry.transaction).isEmpty else { return false }
        return (try? proof.verify(entry.id, entry.transaction)) != nil
    }
}

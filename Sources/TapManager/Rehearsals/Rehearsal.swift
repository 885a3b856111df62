import Bitcoin
import ExplainedErrors
import TapProtocol

/// Spends from a wallet on a chain that exists only meanwhile, with the keys of backups alone.
///
/// The coins are outputs of a transaction that spends a random output, which no chain has: nobody can ever use the
/// signatures, which cover it. What is spent comes back to the wallet's own address, and no signature leaves this type.
struct Rehearsal {
    private let wallet: WatchWallet
    let paths: [KitPath]
    let holders: BackupHolders
    private let preimages: [[UInt8]]
    let places: [WalletPlace]

    /// The most branches that are rehearsed: a wallet has two, and one of several kinds of addresses a few more.
    private static let maximumBranchCount = 20
    /// The addresses of each branch: the first two, and the last that a search finds in an unused wallet.
    private static let indexes: [UInt32] = [0, 1, UInt32(WalletSync.usualGapLimit) - 1]

    /// - Parameters:
    ///   - wallet: sound.
    ///   - preimages: 32 bytes each, for spending paths that take them.
    ///   - names: what people call its keys.
    /// - Throws: `RehearsalError`; `CreationError.uselessPreimage`.
    init(
        _ wallet: WatchWallet, _ holders: BackupHolders, preimages: [[UInt8]],
        names: [WatchWallet.ShownKey: SpendingTerms.Key] = [:]
    ) throws {
        self.wallet = wallet
        self.holders = holders
        self.preimages = preimages
        paths = KitPath.all(of: wallet, names: names)
        guard !paths.isEmpty else { throw RehearsalError.noPaths(wallet.name) }
        _ = try KnownPreimages(preimages, for: paths.compactMap(\.path))
        guard wallet.branches.count <= Self.maximumBranchCount else {
            throw RehearsalError.tooManyBranches(Self.maximumBranchCount)
        }
        places = wallet.branches.flatMap { branch in
            branch.isRanged ? Self.indexes.map { branch.place($0) } : [branch.place(0)]
        }
    }

    /// How many addresses are paid.
    var addressCount: Int { places.count }

    /// Takes every spending path for which there are enough keys.
    /// - Throws: `CancellationError`.
    func run() throws -> [RehearsedPath] { try paths.map(rehearse) }

    private func rehearse(_ path: KitPath) throws -> RehearsedPath {
        let seats = path.signers.flatMap(\.seats)
        let own = seats.filter { holders.holder(of: $0) != nil }
        let missing = seats.filter { holders.holder(of: $0) == nil }
        let lacking = try KnownPreimages(known(for: path), for: [path.path].compactMap(\.self))
        let rounds = try path.rounds(has: { holders.holder(of: $0) != nil }, knows: lacking.has)
        let missingPreimages = missingPreimages(of: path, lacking)
        let isEnough = missingPreimages == 0 && !rounds.isEmpty
        var (used, fault) = (Set<KeySeat>(), nil as (any ExplainedError)?)
        if isEnough {
            do {
                for signers in rounds {
                    try Task.checkCancellation()
                    try spend(path, by: signers)
                    used.formUnion(signers)
                }
            } catch FlowError.interrupted {
                throw CancellationError()
            } catch let error as any ExplainedError {
                // What is not the wallet's fault keeps its own code.
                fault = error
            }
        }
        return RehearsedPath(
            path: path, isProven: isEnough && fault == nil,
            keys: holders.names(seats.filter(used.contains)), missing: holders.names(missing),
            unused: isEnough && fault == nil ? holders.names(own.filter { !used.contains($0) }) : [],
            missingPreimages: missingPreimages, fault: fault)
    }

    /// How many preimages a path takes that are not known; where it has a choice, how many there are if the keys are not
    /// enough without any.
    private func missingPreimages(of path: KitPath, _ known: KnownPreimages) -> Int {
        guard let spending = path.path, let policy = path.policy else { return path.path.map(known.missing) ?? 0 }
        let choice = policy.opened(by: spending.path.locks)
        func isMet(_ knows: (PreimageHash, [UInt8]) -> Bool) -> Bool {
            choice.isMet(signed: { holders.holder(of: $0) != nil }, knows: knows)
        }
        let isHelped = !isMet(known.has) && isMet { _, _ in true }
        return isHelped ? spending.terms.preimages.count { !known.has($0.function, $0.hash) } : 0
    }

    /// The preimages that a path takes, among those that there are.
    private func known(for path: KitPath) -> [[UInt8]] {
        preimages.filter { preimage in
            path.terms.preimages.contains { $0.function.hash(preimage) == $0.hash }
        }
    }

    // MARK: Spending

    /// Spends from every address, with the signatures of some keys and of no others, and not before its locks allow.
    /// - Throws: `RehearsalError`, and why it cannot be built or signed.
    private func spend(_ path: KitPath, by signers: Set<KeySeat>) throws {
        let height = PretendChain.height(opening: path.terms)
        let funds = try Funds(paying: places, of: wallet)
        let spend = try signed(path, by: signers, spending: funds, after: height)
        let chain = PretendChain(funds.coins.mapValues(\.output))
        if let objection = chain.objection(to: spend.transaction, after: height) {
            throw RehearsalError.notSpendable(path: path.number, objection.words)
        }
        try requireLocks(of: path, spend, spending: funds)
    }

    /// A transaction of the path with all that it takes.
    func signed(
        _ path: KitPath, by signers: Set<KeySeat>, spending funds: Funds, after height: Int
    ) throws -> Spend {
        let psbt = try build(path, from: funds, height: height)
        let signed = try sign(psbt, by: signers) { funds.coins[$0]?.place }
        guard let transaction = SigningResult(signed, added: 0).transaction else {
            throw RehearsalError.notSpendable(path: path.number, "the signatures of these keys are not enough.")
        }
        return Spend(psbt: psbt, signed: signed, transaction: transaction)
    }

    /// Pays everything back to one of the wallet's addresses.
    private func build(_ path: KitPath, from funds: Funds, height: Int) throws -> PSBT {
        let chain = WalletChain(
            network: wallet.network, server: "", height: height, time: UnixTime(seconds: 0), hasHistory: true,
            scripts: funds.coins.values.map {
                .init(place: $0.place, script: $0.output.scriptPubKey, isUsed: true)
            },
            transactions: funds.transactions.map {
                WalletTransaction(transaction: $0, id: $0.id, height: PretendChain.coinHeight)
            },
            coins: funds.coins.map {
                WalletCoin(
                    outpoint: $0.key, output: $0.value.output, place: $0.value.place, height: PretendChain.coinHeight,
                    isCoinbase: false)
            })
        var order = WalletOrder(payments: [], drain: funds.coins.values.first?.output.scriptPubKey, fee: .rate(.relay))
        order.coins = Set(funds.coins.keys)
        order.path = path.path?.number
        order.preimages = known(for: path)
        // No later than the path demands, so that nothing else keeps it from being in an earlier block.
        order.lockTime = path.path?.path.lockTime ?? 0
        var generator = SystemRandomNumberGenerator()
        return try WalletBuilder(wallet, chain).build(order, at: .relay, using: &generator).psbt
    }

    /// Adds the signatures of the keys at some seats, as the backups make them after every check of a PSBT.
    func sign(
        _ psbt: PSBT, by signers: Set<KeySeat>, place: (Outpoint) -> WalletPlace?
    ) throws -> PSBT {
        let keys = try psbt.unsignedTransaction.inputs.map { input in
            try place(input.outpoint).map { try wallet.publicKeys(of: signers, at: $0) } ?? []
        }
        var signed = psbt
        for backup in holders.backups(of: signers) {
            let signer = BackupSigner(backup)
            let plan = try signer.prepare(psbt, network: wallet.network, policy: SigningPolicy())
            let (result, interruption) = signer.sign(plan)
            if let interruption { throw interruption }
            for (index, input) in result.signedPSBT.inputs.enumerated() {
                signed.addPartialSignatures(
                    input.partialSignatures.filter { keys[index].contains($0.publicKey) }, toInput: index)
            }
        }
        return signed
    }
}

extension Rehearsal {
    /// Coins of a wallet, and the transactions that paid them.
    struct Funds {
        let transactions: [Transaction]
        let coins: [Outpoint: (place: WalletPlace, output: TransactionOutput)]

        /// What each address is paid.
        private static let amount: Int64 = 1_000_000

        /// Coins that exist nowhere, paid by a transaction that spends a random output, which no chain has.
        init(paying places: [WalletPlace], of wallet: WatchWallet) throws(WalletError) {
            var generator = SystemRandomNumberGenerator()
            let spent = TransactionID(hashing: (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
            var outputs: [TransactionOutput] = []
            for place in places {
                outputs.append(TransactionOutput(value: Self.amount, scriptPubKey: try wallet.script(at: place)))
            }
            let funding = Transaction(
                inputs: [TransactionInput(outpoint: Outpoint(transactionID: spent, index: 0), sequence: 0xFFFF_FFFD)],
                outputs: outputs)
            self.init(zip(places, outputs).enumerated().map { ($1.0, funding, UInt32($0)) })
        }

        /// - Parameter paid: places, the transactions that pay them, and the indexes of the outputs.
        init(_ paid: [(place: WalletPlace, transaction: Transaction, index: UInt32)]) {
            var transactions: [TransactionID: Transaction] = [:]
            var coins: [Outpoint: (place: WalletPlace, output: TransactionOutput)] = [:]
            for one in paid where one.transaction.outputs.indices.contains(Int(one.index)) {
                let id = one.transaction.id
                transactions[id] = one.transaction
                coins[Outpoint(transactionID: id, index: one.index)] = (
                    one.place, one.transaction.outputs[Int(one.index)]
                )
            }
            self.transactions = Array(transactions.values)
            self.coins = coins
        }
    }
}

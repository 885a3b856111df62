import Bitcoin

extension Store {
    /// The wallet whose descriptors derive every script that a PSBT spends: the one it spends from, whoever made the
    /// PSBT. The PSBT's claims are only used to know where to look.
    /// - Parameter network: the PSBT's; `nil`: unknown.
    /// - Returns: `nil` if there is none, if one of the coins is unknown, or if the wallet is unsafe or not what was
    ///   registered.
    func wallet(spentBy psbt: PSBT, on network: Network?) throws(StoreError) -> WatchWallet? {
        for stored in try wallets() where network.map({ $0.keyNetwork == stored.network.keyNetwork }) ?? true {
            guard let wallet = stored.asRegistered, wallet.fault == nil else { continue }
            if wallet.spent(by: psbt) != nil { return wallet }
        }
        return nil
    }
}

/// A wallet whose keys derive every script that a PSBT spends. Finding that out derives keys for every input, so it is done
/// once.
struct SpentWallet {
    /// The wallet.
    let wallet: WatchWallet
    /// Where it derives the script of each input.
    let places: [WalletPlace]
    private let indexes: IndexesInUse<WalletPlace>
    /// Up to which index wallets look that know the PSBT's coins, for each branch that has some, by its first place.
    private let reaches: [WalletPlace: UInt64]
    private let shown: ShownReach?

    fileprivate init(_ wallet: WatchWallet, places: [WalletPlace], shown: ShownReach?) {
        self.wallet = wallet
        self.places = places
        self.shown = shown
        var indexes = IndexesInUse<WalletPlace>()
        // A fixed address has no index that another one could be beside.
        let ranged = places.filter { wallet.descriptors[$0.descriptor].isRanged }
        for place in ranged { indexes.insert(place.index, on: place.branchStart) }
        self.indexes = indexes
        reaches = Dictionary(
            Set(ranged.map(\.branchStart)).compactMap { branch in indexes.reach(on: branch).map { (branch, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Whether an output of the PSBT at a place counts as change: wallets that know the PSBT's coins look so far, from
    /// the lowest one on, as anyone can pay a little to an index far away; and so far above what the wallet is shown to
    /// use. Whoever gets money paid to the wallet further out can demand a ransom for the index.
    ///
    /// Spec: threats, "The PSBT lies" (ransom by lost path).
    func isWhereWalletsLook(_ place: WalletPlace) -> Bool {
        let (branch, index) = (place.branchStart, UInt64(place.index))
        let gap = UInt64(AddressReach.withoutHistory)
        if index <= reaches[branch] ?? indexes.reach(on: branch) ?? gap { return true }
        return shown?.last(of: wallet, on: branch).map { index <= UInt64($0) + gap } ?? false
    }

    /// Those of a PSBT's claims that the wallet's descriptors make, too, with the key that they derive there, those on a
    /// usual branch first: a policy can have another key of a holder on a branch of its own. Whoever wrote the PSBT may
    /// claim anything besides, and give any key the wallet's origins.
    func claims(_ derivations: [KeyDerivation], at place: WalletPlace) -> [(path: CardPath, derivation: KeyDerivation)]
    {
        let own = Set(wallet.keys(at: place, from: Set(derivations.map(\.origin))))
        let claims = derivations.compactMap { derivation -> (path: CardPath, derivation: KeyDerivation)? in
            guard own.contains(derivation), let path = CardPath(derivation.path) else { return nil }
            return (path, derivation)
        }
        return claims.filter(\.path.isOnUsualBranch) + claims.filter { !$0.path.isOnUsualBranch }
    }

    /// Whether an output of the PSBT pays back to the wallet, where wallets look.
    func isChange(_ output: TransactionOutput, _ fields: PSBT.Output) -> Bool {
        wallet.place(of: output, fields).map(isWhereWalletsLook) ?? false
    }
}

extension WatchWallet {
    /// The wallet as a PSBT spends from it; `nil` unless it derives every script that is spent. Only then does its claim
    /// about change count: someone who stores other descriptors under its name cannot make them derive the coins as well.
    /// - Parameter shown: how far it is shown to be in use; `nil`: only the PSBT's coins tell.
    func spent(by psbt: PSBT, shown: ShownReach? = nil) -> SpentWallet? {
        guard !psbt.inputs.isEmpty else { return nil }
        var places: [WalletPlace] = []
        for index in psbt.inputs.indices {
            guard let place = place(ofInput: index, of: psbt) else { return nil }
            places.append(place)
        }
        return SpentWallet(self, places: places, shown: shown)
    }

    /// Where it derives the script that an input of a PSBT spends; `nil` if it does not, or the coin is unknown.
    func place(ofInput index: Int, of psbt: PSBT) -> WalletPlace? {
        guard let coin = try? psbt.spentOutput(ofInput: index) else { return nil }
        let fields = psbt.inputs[index]
        let paths = fields.derivations.map(\.path) + fields.taprootDerivations.map(\.path)
        // A script's keys share few indexes: more claims would only waste time.
        guard Set(paths.map(\.steps.last)).count <= MultisigAccount.maximumKeyCount else { return nil }
        return place(of: coin, paths)
    }
}

extension WalletPlace {
    /// The first place of its branch.
    var branchStart: WalletPlace { WalletPlace(descriptor: descriptor, branch: branch, index: 0) }
}

extension StoredTransaction {
    /// Sets the wallet that it spends from, if none is set yet. A sweep stays a sweep.
    mutating func adopt(_ wallet: WatchWallet?) {
        guard self.wallet == nil, !drains, let wallet else { return }
        self.wallet = wallet.name
        network = network ?? wallet.network
    }
}

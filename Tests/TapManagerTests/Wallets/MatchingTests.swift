import Bitcoin
import FlowSupport
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// The wallet that a PSBT from elsewhere spends from, what lists tell of it, and which change is proven without it.
@Suite struct MatchingTests {
    private let keys: SampleWallet
    private let store = MemoryStore()

    init() throws { keys = try SampleWallet(seed: 1) }

    private var manager: CardManager { CardManager(store: store) { UnixTime(seconds: 5) } }

    private func addWallet(_ name: String = "w", seed: UInt8 = 1, network: Network = .regtest) throws {
        let bench = try WalletBench(seed: seed)
        let text = try #require(bench.wallet.descriptors.first?.text)
        store.save(
            StoredWallet(
                name: name, network: network, descriptors: [DescriptorText(stored: text)], created: UnixTime(seconds: 1)
            ))
    }

    @Test func anImportedOneIsOfTheWalletWhoseCoinsItSpends() throws {
        try addWallet("other", seed: 2)
        try addWallet()
        let stored = try manager.importTransaction(keys.psbt()).transaction
        #expect(stored.wallet == "w" && stored.network == .regtest && !stored.isSweep)
        let review = manager.review(of: stored)
        #expect(
            review.review?.evidence == .wallet("w") && review.review?.outputs.map(\.isProvenChange) == [false, true])
        let listing = try #require(try manager.transactionListings().listings.first)
        #expect(listing.sent == Amount(satoshis: 50_000) && listing.payees.count == 1)
        #expect(listing.signers.map(\.fingerprint) == [keys.fingerprint])
    }

    /// What a PSBT claims of its keys is only where to look.
    @Test func aClaimMakesNoWallet() throws {
        try addWallet()
        let psbt = try keys.psbt()
        // The wallet's paths and fingerprint beside somebody else's coin.
        let stranger = try SampleWallet(seed: 3).psbt()
        var posing = try PSBT(unsignedTransaction: stranger.unsignedTransaction)
        posing.setInputs(stranger.inputs)
        for derivation in psbt.inputs[0].derivations { posing[input: 0].addDerivation(derivation) }
        #expect(try store.wallet(spentBy: posing, on: nil) == nil)
        // For another family of networks, and where the coins are not known, it is of none.
        #expect(try store.wallet(spentBy: psbt, on: .main) == nil)
        #expect(try store.wallet(spentBy: PSBT(unsignedTransaction: psbt.unsignedTransaction), on: nil) == nil)
        #expect(try store.wallet(spentBy: psbt, on: .signet)?.name == "w")
    }

    /// A coin whose key the file puts elsewhere is still the wallet's, as its descriptor derives it: it leaves, too.
    @Test func aCoinWithAFalseOriginLeavesAsWell() throws {
        try addWallet()
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2wpkh, .p2wpkh]
        recipe.payment = 110_000
        var psbt = try keys.psbt(recipe)
        let own = try #require(psbt.inputs[1].derivations.first)
        let given = psbt.inputs[1]
        psbt[input: 1] = PSBT.Input()
        psbt[input: 1].nonWitnessUTXO = given.nonWitnessUTXO
        psbt[input: 1].witnessUTXO = given.witnessUTXO
        let last = try #require(own.path.steps.last)
        psbt[input: 1].addDerivation(
            KeyDerivation(publicKey: own.publicKey, fingerprint: .zero, path: DerivationPath([last])))

        let review = try #require(manager.review(of: manager.importTransaction(psbt).transaction).review)
        #expect(review.evidence == .wallet("w") && review.inputs.map { $0.path != nil } == [true, false])
        #expect(review.leaving?.satoshis == 111_000)
        #expect(review.areInputsDerived)
    }

    /// Whoever gives the wallet's origin to a key of his own claims nothing of the wallet's. What it derives stays its
    /// own.
    @Test(arguments: [false, true]) func aForeignKeyWithTheWalletsOriginIsNoClaim(_ isForeign: Bool) throws {
        try addWallet()
        let thief = try SampleWallet(seed: 9)
        func posing(_ derivation: KeyDerivation) throws -> KeyDerivation {
            guard isForeign else { return derivation }
            return KeyDerivation(
                publicKey: try thief.publicKey(derivation.path).bytes, fingerprint: derivation.fingerprint,
                path: derivation.path)
        }
        let honest = try keys.psbt()
        var psbt = try PSBT(unsignedTransaction: honest.unsignedTransaction)
        for (index, input) in honest.inputs.enumerated() {
            psbt[input: index].nonWitnessUTXO = input.nonWitnessUTXO
            psbt[input: index].witnessUTXO = input.witnessUTXO
            for derivation in input.derivations { psbt[input: index].addDerivation(try posing(derivation)) }
        }
        for (index, output) in honest.outputs.enumerated() {
            for derivation in output.derivations { psbt[output: index].addDerivation(try posing(derivation)) }
        }
        let shown = try #require(manager.review(of: psbt, network: .regtest).review)
        #expect(shown.evidence == .wallet("w") && shown.areInputsDerived)
        #expect(shown.inputs.map { $0.path != nil } == [!isForeign])
        #expect(shown.outputs.map(\.isProvenChange) == [false, !isForeign])
    }

    /// An address beside the wallet's own descriptor is no place of the wallet: nothing paid to it is change.
    @Test func aDescriptorWithoutKeysIsNoPlace() throws {
        let bench = try WalletBench()
        let own = try #require(bench.wallet.descriptors.first?.text)
        let mixed = try WalletDraft(
            name: WalletName(parsing: "w"), network: .regtest, descriptors: ["raw(\(WalletBench.stranger))", own]
        ).wallet
        let path = try keys.accountPath(.p2wpkh)
        let paths = [DerivationPath(path.steps + [ChildNumber(rawValue: 1), ChildNumber(rawValue: 0)])]
        #expect(mixed.place(of: WalletBench.output(1_000), paths) == nil)
        let change = WalletBench.output(1_000, try bench.script(1, 0))
        #expect(mixed.place(of: change, paths) == WalletPlace(descriptor: 1, branch: 1, index: 0))
    }

    /// Whoever writes other descriptors under a wallet's name makes nothing of his its change.
    @Test func otherDescriptorsUnderTheNameProveNothing() throws {
        try addWallet()
        let own = try manager.importTransaction(keys.psbt()).transaction
        #expect(own.wallet == "w")
        let thief = try WalletBench(seed: 9)
        let script = try thief.script(1, 0)
        var transaction = own.psbt.unsignedTransaction
        let change = try #require(own.psbt.outputs.firstIndex { !$0.derivations.isEmpty })
        transaction.outputs[change] = TransactionOutput(
            value: transaction.outputs[change].value, scriptPubKey: script)
        var forged = try PSBT(unsignedTransaction: transaction)
        forged.setInputs(own.psbt.inputs)
        let place = WalletPlace(descriptor: 0, branch: 1, index: 0)
        for derivation in try thief.wallet.spending(at: place).derivations {
            forged[output: change].addDerivation(derivation)
        }
        let stored = StoredTransaction(
            psbt: forged, network: .regtest, wallet: "w", created: UnixTime(seconds: 1), updated: UnixTime(seconds: 1))
        _ = try store.updateTransaction(stored.id) { _ throws(StoreError) in stored }
        try addWallet(seed: 9)
        #expect(manager.review(of: stored).review?.outputs.contains { $0.isProvenChange } == false)
        let listing = try #require(try manager.transactionListings().listings.first { $0.summary.id == stored.id })
        #expect(listing.payees.contains { $0.script == script })
    }

    /// Change where wallets do not look can be held to ransom, though the wallet's own descriptors derive it.
    @Test(arguments: [(UInt32(1_000), true), (1_001, false), (0x7FFF_FFFF, false)])
    func farChangeIsAPayment(_ index: UInt32, _ isChange: Bool) throws {
        try addWallet()
        let own = try manager.importTransaction(keys.psbt()).transaction
        let bench = try WalletBench(seed: 1)
        let script = try bench.script(1, index)
        var transaction = own.psbt.unsignedTransaction
        let change = try #require(own.psbt.outputs.firstIndex { !$0.derivations.isEmpty })
        transaction.outputs[change] = TransactionOutput(
            value: transaction.outputs[change].value, scriptPubKey: script)
        var far = try PSBT(unsignedTransaction: transaction)
        far.setInputs(own.psbt.inputs)
        let place = WalletPlace(descriptor: 0, branch: 1, index: index)
        for derivation in try bench.wallet.spending(at: place).derivations {
            far[output: change].addDerivation(derivation)
        }
        let stored = try manager.importTransaction(far).transaction
        let shown = manager.review(of: stored)
        #expect(shown.review?.outputs[change].isProvenChange == isChange)
        #expect(shown.findings.contains { $0.code == .changePathUnusual } != isChange)
        let listing = try #require(try manager.transactionListings().listings.first { $0.summary.id == stored.id })
        #expect(listing.payees.contains { $0.script == script } != isChange)
    }

    private func script(_ branch: UInt32, _ index: UInt32) throws -> CraftedScript {
        let path = try keys.path(.p2wpkh, branch: branch, index: index)
        return CraftedScript(.single(.p2wpkh), threshold: 1, [.init(keys, path)])
    }

    /// A coin far away does not make the indexes beside it ones that are in use: anybody can pay a little there.
    @Test(arguments: [(UInt32(1_005), true), (1_006, false), (50_001, false)])
    func dustFarAwayOpensNoIndexBesideIt(_ index: UInt32, _ isChange: Bool) throws {
        var crafted = CraftedPSBT()
        crafted.inputs = [(try script(0, 5), 100_000), (try script(0, 50_000), 600)]
        crafted.outputs = [(try script(1, index), 49_000)]
        let psbt = try crafted.psbt()
        let wallet = try WalletBench().wallet
        let spent = try #require(wallet.spent(by: psbt))
        #expect(spent.places.map(\.index) == [5, 50_000])
        #expect(spent.isChange(psbt.unsignedTransaction.outputs[1], psbt.outputs[1]) == isChange)
        let (review, findings) = SigningPlanner(psbt: psbt, network: .regtest).review(wallet: wallet)
        #expect(review?.outputs.map(\.isProvenChange) == [false, isChange])
        #expect(findings.contains { $0.code == .changePathUnusual } != isChange)
    }

    /// The indexes that a stored wallet uses on a branch count for that branch, however far the PSBT's own coins are.
    @Test(arguments: [(1, true), (0, false)])
    func whatAWalletUsesCountsForItsBranch(_ branch: Int, _ isFound: Bool) throws {
        try addWallet()
        let place = WalletPlace(descriptor: 0, branch: branch, index: 1_500)
        let used = WalletChain.KnownScript(
            place: place, script: try WalletBench().wallet.script(at: place), isUsed: true)
        try store.save(
            WalletChain(
                network: .regtest, server: "s", height: 100, time: UnixTime(seconds: 1), hasHistory: false,
                scripts: [used], transactions: [], coins: []), of: try #require(store.wallets().first),
            at: UnixTime(seconds: 3_000_000_000))
        var crafted = CraftedPSBT()
        crafted.inputs = [(try script(0, 5), 100_000)]
        crafted.outputs = [(try script(1, 1_501), 49_000)]
        let path = try keys.accountPath(.p2wpkh)
        let signer = SignerKeys(masterFingerprint: keys.fingerprint, accounts: [path: try keys.extendedKey(path)])
        let planner = SigningPlanner(psbt: try crafted.psbt(), network: .regtest)
        #expect(planner.context(keys: signer).review?.outputs[1].isProvenChange == false)
        let knowing = planner.knowing(try store.storedWallets(of: signer))
        #expect(knowing.context(keys: signer).review?.outputs[1].isProvenChange == isFound)
        // Without a card, too.
        let wallet = try WatchWallet(try #require(store.wallets().first))
        #expect(planner.review(wallet: wallet).review?.outputs[1].isProvenChange == false)
        let shown = planner.review(wallet: wallet, shown: ShownReach(store))
        #expect(shown.review?.outputs[1].isProvenChange == isFound)
        #expect(shown.findings.contains { $0.code == .changePathUnusual } != isFound)
    }

    @Test func aSweepStaysOne() throws {
        try addWallet()
        let psbt = try keys.psbt()
        _ = try store.updateTransaction(psbt.unsignedTransaction.id) { _ throws(StoreError) in
            StoredTransaction(psbt: psbt, created: UnixTime(seconds: 1), updated: UnixTime(seconds: 1), drains: true)
        }
        #expect(try manager.importTransaction(psbt).transaction.isSweep)
        #expect(try store.keep(psbt, at: UnixTime(seconds: 2)).isSweep)
        #expect(try store.wallet(of: psbt) == nil)
    }

    /// The keys that a card proved prove the change of what it signed; what else stands in the store proves nothing.
    @Test func changeIsProvenByTheKeysThatACardProved() throws {
        let psbt = try keys.psbt()
        let stored = try manager.importTransaction(psbt).transaction
        func isChangeProven() -> [Bool]? { manager.review(of: stored).review?.outputs.map(\.isProvenChange) }
        #expect(isChangeProven() == [false, false])
        store.save(try StoreSample.card(1, fingerprint: keys.fingerprint))
        #expect(isChangeProven() == [false, false])
        // Another key at the path that the PSBT names.
        let other = try StoreSample.account(2)
        let own = try StoreSample.account(1)
        store.save(ProvenAccount(cardKey: own.cardKey, path: own.path, key: other.key, proven: own.proven))
        #expect(isChangeProven() == [false, false])
        store.save(own)
        #expect(isChangeProven() == [false, true])
        let listing = try #require(try manager.transactionListings().listings.first)
        #expect(
            listing.sent == Amount(satoshis: 50_000) && listing.signers.first?.card?.ident == CardIdent(of: own.cardKey)
        )
        // A row takes no longer than it must: the transaction, the cards and the account are read once.
        let counting = MortalStore(store) {}
        let lister = try TransactionLister(counting, network: nil)
        let readBefore = counting.readCount
        #expect(!lister.listing(listing.summary).isRefused && counting.readCount - readBefore == 3)
        // The payment dressed up as change is none: its script is not of these keys.
        var dressed = psbt
        let change = try #require(psbt.outputs.firstIndex { !$0.derivations.isEmpty })
        for derivation in psbt.outputs[change].derivations { dressed[output: 1 - change].addDerivation(derivation) }
        let posing = StoredTransaction(psbt: dressed, created: UnixTime(seconds: 1), updated: UnixTime(seconds: 1))
        #expect(manager.review(of: posing).review?.outputs[1 - change].isProvenChange == false)
    }

    @Test func aCardIsCalledWhatItIsNamed() throws {
        let ident = try StoreSample.ident(1)
        #expect(throws: CardMemoryError.self) { _ = try manager.nameCard(ident.text, "Blue") }
        store.save(try StoreSample.card(1))
        let named = try manager.nameCard(String(ident.text.prefix(6)).lowercased(), "Blue card")
        #expect(named.shownName == "Blue card" && store.card(ident)?.name == "Blue card")
        for name in [" x", "x ", "a\u{1B}[2J", "a“b", "it's \"mine\"", String(repeating: "x", count: 41), "\u{202E}x"] {
            #expect(throws: CardMemoryError.badName(name)) { _ = try manager.nameCard(ident.text, name) }
        }
        // Whatever somebody wrote into the store, nothing but a name is shown.
        _ = store.name(ident, "x” (genuine) “")
        #expect(store.card(ident)?.shownName == nil)
        #expect(try manager.nameCard(ident.text, "Anna’s card").shownName == "Anna’s card")
        #expect(try manager.nameCard(ident.text, "").name == nil && store.card(ident)?.name == nil)
    }
}

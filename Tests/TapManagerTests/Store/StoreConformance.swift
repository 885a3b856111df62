import Bitcoin
import FlowSupport
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// What every store must do. Each kind passes the same tests.
@Suite struct StoreConformance {
    // MARK: Cards

    @Test(arguments: StoreKind.allCases) func cardsAreRemembered(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let ident = try StoreSample.ident(1)
        #expect(try bench.store.card(ident) == nil)
        #expect(try bench.store.cards() == [])
        for product in CardProduct.allCases {
            let card = try StoreSample.card(1, product: product, fingerprint: Fingerprint([1, 2, 3, 4]), lastSeen: 7)
            try bench.store.save(card)
            #expect(try bench.store.card(ident) == card)
            #expect(try bench.store.cards() == [card])
        }
        let main = CardRecord(
            publicKey: try StoreSample.card(1).publicKey, product: .satscard, isTestnet: false, fingerprint: nil,
            lastSeen: -5)
        try bench.store.save(main)
        var expected = main
        expected.fingerprint = Fingerprint([1, 2, 3, 4])
        #expect(try bench.store.card(ident) == expected)
        #expect(try bench.store.card(StoreSample.ident(2)) == nil)
    }

    @Test(arguments: StoreKind.allCases) func theCardSeenLastComesFirst(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let times: [UInt8: UnixTime] = [1: 5, 2: 9, 3: 5, 4: 1]
        let cards = try times.map { try StoreSample.card($0, lastSeen: $1) }
        for card in cards { try bench.store.save(card) }
        let expected = cards.sorted { ($1.lastSeen, $0.ident.text) < ($0.lastSeen, $1.ident.text) }
        #expect(try bench.store.cards() == expected)
        var last = expected[3]
        last.lastSeen = 10
        try bench.store.save(last)
        #expect(try bench.store.cards() == [last] + expected.prefix(3))
    }

    // MARK: Flows

    @Test(arguments: StoreKind.allCases) func statesOfEveryKindComeBack(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let ident = try StoreSample.ident(1)
        #expect(Set(try StoreSample.states().map(\.state.kind)) == Set(FlowKind.allCases))
        for (number, sample) in try StoreSample.states().enumerated() {
            let time = UnixTime(seconds: Int64(number))
            try bench.store.record(sample.state, of: ident, at: time)
            let entry = FlowEntry(card: ident, state: sample.state, created: time, updated: time)
            #expect(try bench.store.flows(of: ident) == [entry])
            #expect(try bench.store.flows() == [entry])
            try bench.store.finish(sample.state.kind, of: ident)
            #expect(try bench.store.flows() == [])
        }
    }

    @Test(arguments: StoreKind.allCases) func aCardHasOneFlowOfAKind(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let (one, two) = (try StoreSample.ident(1), try StoreSample.ident(2))
        let (first, second) = (FlowState.backup(BackupState(file: "1")), FlowState.backup(BackupState(file: "2")))
        try bench.store.record(first, of: one, at: 1)
        try bench.store.record(.changeCVC(ChangeCVCState()), of: one, at: 2)
        try bench.store.record(first, of: two, at: 3)
        try bench.store.record(second, of: one, at: 4)
        let ofOne = [
            FlowEntry(card: one, state: .changeCVC(ChangeCVCState()), created: 2, updated: 2),
            FlowEntry(card: one, state: second, created: 1, updated: 4),
        ]
        let ofTwo = [FlowEntry(card: two, state: first, created: 3, updated: 3)]
        #expect(try bench.store.flows(of: one) == ofOne)
        #expect(try bench.store.flows(of: two) == ofTwo)
        #expect(try bench.store.flows() == ofTwo + ofOne)
        try bench.store.finish(.derive, of: one)
        try bench.store.finish(.backup, of: one)
        #expect(try bench.store.flows() == ofTwo + ofOne.prefix(1))
        try bench.store.record(first, of: one, at: 5)
        #expect(try bench.store.flows(of: one).map(\.created) == [5, 2])
    }

    /// The texts of states are those of the first release, and read as the same states.
    @Test(arguments: 0..<8) func aStateIsWrittenAsEver(_ index: Int) throws {
        let states = try StoreSample.states()
        try #require(states.count == 8)
        let (state, json) = states[index]
        #expect(state.json == json)
        #expect(FlowState(state.kind, json: json) == state)
        for nonsense in ["", "null", "[]", json + "x", String(json.dropLast()), json.replacing("5a5a", with: "zz")]
            + [json.replacing("m/84h", with: "m/;"), json.replacing("\"slotIndex\":", with: "\"slotIndex\":-")]
        where nonsense != json {
            #expect(FlowState(state.kind, json: nonsense) == nil)
        }
    }

    // MARK: Backups

    @Test(arguments: StoreKind.allCases) func backupsAreKeptOnce(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let (one, two) = (try StoreSample.ident(1), try StoreSample.ident(2))
        func backup(_ ident: CardIdent, _ byte: UInt8, count: Int = 1, created: UnixTime = 1) throws -> StoredBackup {
            try StoredBackup(
                card: ident, ciphertext: EncryptedBackup([UInt8](repeating: byte, count: 124)), count: count,
                created: created)
        }
        #expect(try bench.store.backups(of: one) == [])
        try bench.store.save(backup(one, 1))
        try bench.store.save(backup(one, 2, count: 2))
        try bench.store.save(backup(two, 1))
        #expect(try bench.store.backups(of: one) == [backup(one, 2, count: 2), backup(one, 1)])
        try bench.store.save(backup(one, 1, count: 127, created: 9))
        #expect(
            try bench.store.backups(of: one) == [backup(one, 1, count: 127, created: 9), backup(one, 2, count: 2)])
        #expect(try bench.store.backups(of: two) == [backup(two, 1)])
    }

    // MARK: Wallets and labels

    @Test(arguments: StoreKind.allCases) func walletsAreReplacedByName(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let savings = StoredWallet(name: "savings", network: .main, descriptors: ["b", "a", "c"], created: 1)
        let holiday = StoredWallet(name: "Ferien ’26 🏖", network: .signet, descriptors: [], created: 2)
        #expect(try bench.store.wallets() == [])
        for wallet in [savings, holiday] { try bench.store.save(wallet) }
        #expect(try bench.store.wallets() == [holiday, savings])
        let replaced = StoredWallet(name: "savings", network: .regtest, descriptors: ["d"], created: 3)
        try bench.store.save(replaced)
        #expect(try bench.store.wallets() == [holiday, replaced])
        // Not what is called so now.
        #expect(throws: StoreError.noSuchWallet("savings")) { try bench.store.delete(savings) }
        #expect(try bench.store.wallets() == [holiday, replaced])
        try bench.store.delete(replaced)
        #expect(throws: StoreError.noSuchWallet("savings")) { try bench.store.delete(replaced) }
        #expect(try bench.store.wallets() == [holiday])
    }

    @Test(arguments: StoreKind.allCases) func aDeletedWalletLeavesItsTransactions(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        try bench.store.save(StoredWallet(name: "a", network: .test, descriptors: ["x"], created: 1))
        let psbts = try [10_000, 20_000].map { try StoreSample.psbt(payment: $0) }
        for (psbt, wallet) in zip(psbts, ["a", "b"]) { _ = try bench.store.merge(psbt, wallet: wallet, at: 1) }
        #expect(try bench.store.deleteWallet(named: "a"))
        #expect(try bench.store.transaction(psbts[0].unsignedTransaction.id)?.wallet == nil)
        #expect(try bench.store.transaction(psbts[1].unsignedTransaction.id)?.wallet == "b")
        #expect(try bench.store.transactions(limit: 9, offset: 0).map(\.wallet) == ["b", nil])
    }

    @Test(arguments: StoreKind.allCases) func labelsAreReplacedByWhatTheyAreAbout(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let labels = [
            StoredLabel(type: "addr", reference: "b", label: "Bäcker\n“Brot”"),
            StoredLabel(type: "addr", reference: "bc", label: ""),
            StoredLabel(type: "output", reference: "ab:0", label: "x", isSpendable: false),
            StoredLabel(type: "output", reference: "ab:1", label: "x", isSpendable: true),
            StoredLabel(type: "tx", reference: "ab", label: "y", origin: "wpkh([d34db33f/84h/0h/0h])"),
            StoredLabel(type: "tx", reference: "ab", label: "z", origin: "wsh()"),
        ]
        #expect(try bench.store.labels() == [])
        try bench.store.save([])
        try bench.store.save(labels.reversed())
        #expect(try bench.store.labels() == labels)
        // What the new one does not say stays: BIP-329, "Importing".
        try bench.store.save([StoredLabel(type: "output", reference: "ab:1", label: "new")])
        try bench.store.save([StoredLabel(type: "output", reference: "ab:0", label: "", line: "{}")])
        let changed = [
            StoredLabel(type: "output", reference: "ab:0", label: "x", isSpendable: false, line: "{}"),
            StoredLabel(type: "output", reference: "ab:1", label: "new", isSpendable: true),
        ]
        #expect(try bench.store.labels() == labels.prefix(2) + changed + labels.suffix(2))
    }
}

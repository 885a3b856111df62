import Bitcoin
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// A card's name stands beside a key of a policy only where the card has proven that key.
@Suite struct PolicyNamesTests {
    private let bench: DrillBench
    private let policy: SamplePolicy

    init() throws {
        bench = try DrillBench()
        let holders = try [1, 2].map { try SampleWallet(seed: $0) }
        policy = SamplePolicy("or_d(multi(2,#A,#B),and_v(v:pkh(#b),older(10)))", holders)
        for (holder, name) in zip(holders, ["Anna", "Ben"]) { try remember(holder, name) }
    }

    private func remember(_ holder: SampleWallet, _ name: String) throws {
        let card = try CardRecord(
            publicKey: holder.publicKey(DerivationPath()), product: .tapsigner, isTestnet: true,
            fingerprint: holder.fingerprint, lastSeen: DrillBench.start, name: name)
        bench.store.save(card)
        let account = try DerivationPath(parsing: policy.account)
        bench.store.save(
            ProvenAccount(
                cardKey: card.publicKey, path: account, key: try holder.extendedKey(account), proven: DrillBench.start))
    }

    /// Adds the wallet, which has the coins of a PSBT's inputs.
    private func addWallet(of descriptor: Descriptor? = nil, with coins: PSBT) async throws -> OpenedWallet {
        let descriptor = try descriptor ?? policy.descriptor()
        let opened = try await bench.manager.addWallet(
            named: "w", of: .parsing([try #require(descriptor.text)]), network: .test
        ).wallet
        let known = try coins.inputs.indices.map { index in
            WalletCoin(
                outpoint: coins.unsignedTransaction.inputs[index].outpoint,
                output: try coins.spentOutput(ofInput: index), place: opened.wallet.branches[0].place(UInt32(index)),
                height: 95, isCoinbase: false)
        }
        try bench.store.save(
            WalletChain(
                network: .test, server: "s", height: 100, time: DrillBench.start, hasHistory: true,
                areSpendsProven: true,
                scripts: known.map { .init(place: $0.place, script: $0.output.scriptPubKey, isUsed: true) },
                transactions: try coins.inputs.map { input in
                    let funding = try Transaction(serialized: Array(#require(input.nonWitnessUTXO).bytes))
                    return WalletTransaction(transaction: funding, id: funding.id, height: 95)
                }, coins: known), of: opened.stored, at: UnixTime(seconds: 3_000_000_000))
        return opened
    }

    private func names(_ terms: [SpendingTerms]) -> [[String?]] {
        terms.map { $0.groups.flatMap(\.keys).map(\.cardName) }
    }

    private func reviewed(_ psbt: PSBT) throws -> ReviewedPolicy {
        let policies = try #require(bench.manager.review(of: psbt, network: .test).review).policies
        #expect(policies.count == 1)
        return try #require(policies.first)
    }

    @Test func aWalletAndItsTransactionsShowThem() async throws {
        let psbt = try policy.psbt(inputs: 2)
        let opened = try await addWallet(with: psbt)
        let chain = try bench.store.chain(of: "w", on: .test)
        let view = try WalletOverview(opened, chain, in: bench.store, at: DrillBench.start)
        #expect(names(view.spendingPaths.map(\.terms)) == [["Anna", "Ben"], ["Ben"]])
        let reviewed = try reviewed(psbt)
        #expect(names(reviewed.paths.map(\.terms)) == [["Anna", "Ben"], ["Ben"]])
        #expect(reviewed.paths[1].opening?.block == 105)
        #expect(reviewed.paths[1].opening?.time?.seconds == DrillBench.start.seconds + 5 * 600)
    }

    /// A chain server need not have found the coins: the PSBT says where they are, and the wallet's descriptor gives their scripts.
    @Test func aWalletThatWasNeverSynchronizedIsKnown() async throws {
        let text = try #require(policy.descriptor().text)
        _ = try await bench.manager.addWallet(named: "w", of: .parsing([text]), network: .test)
        let psbt = try policy.psbt(inputs: 2)
        #expect(names(try reviewed(psbt).paths.map(\.terms)) == [["Anna", "Ben"], ["Ben"]])
        let theirs = try reviewed(SamplePolicy(policy.expression, strangers()).psbt())
        #expect(names(theirs.paths.map(\.terms)) == [[nil, nil], [nil]])
    }

    /// Keys that no card has proven, or none with a name, are known by their users' labels.
    @Test func labelsOfExtendedKeysAreShown() throws {
        let wallet = try wallet(policy)
        func shown() throws -> [String?] {
            let terms = try wallet.spendingPaths(namedBy: bench.store)[0].terms
            return terms.groups.flatMap(\.keys).map { $0.cardName ?? $0.label }
        }
        let account = try DerivationPath(parsing: policy.account)
        let keys = try policy.holders.map { try $0.extendedKey(account).text }
        func label(_ key: String, _ text: String, type: String = "xpub") {
            bench.store.save([StoredLabel(type: type, reference: key, label: text)])
        }
        label(keys[0], "Not Anna")
        #expect(try shown() == ["Anna", "Ben"])
        let ben = try #require(bench.store.cards().first { $0.shownName == "Ben" })
        #expect(bench.store.name(ben.ident, nil))
        #expect(try shown() == ["Anna", nil])
        label(keys[1], "Benjamin", type: "pubkey")
        #expect(try shown() == ["Anna", nil])
        label(keys[1], "”, 0a0b0c0d “Anna")
        #expect(try shown() == ["Anna", nil])
        label(keys[1], "Benjamin")
        #expect(try shown() == ["Anna", "Benjamin"])
        let terms = try wallet.spendingPaths(namedBy: bench.store)[1].terms
        #expect(terms.groups[0].keys == [.labelled(.holder(policy.holders[1].fingerprint), label: "Benjamin")])
    }

    /// A label that could be taken for a card's name, for two keys, or for nothing is not shown.
    @Test(
        arguments: [
            "Anna", "ANNA", "Ben\u{2BA} and f751e189 \u{2BA}Anna", "Ben\u{2033}", "Ben''", "\u{2800}\u{3164}",
            "\u{3164}",
            "—", "Ben\u{A0}B", "Ben’’ and 0f056943 ``Anna", "Ben’' B", "Ben`", "Ben\u{A78C}\u{A78C}", "0f056943",
            "𝙰𝚗𝚗𝚊", "ꓮꓠꓠꓮ", "Ａｎｎａ", "ɑnna", "𝟶𝚏𝟶𝟻𝟼𝟿𝟺𝟹", "3b3b-440b", "2222 2222", "B੦b", "Carl; Dora",
            "Carl and Dora", "2 of Carl", "Carl or Dora",
            "An.na!", "Hannah", "Caro\u{1C0}", "\u{FB01}ona", "Ka\u{1C9}a", "\u{2C94}\u{2C80}\u{2CA6}\u{2C88}",
            "\u{A731}am", "Carl, after block 5",
            "\u{410}nna", "Ann\u{3B1}", "Benj\u{430}min",
            "\u{5D1}\u{5DF}", "Ben '",
        ]) func labelsThatMisleadAreNot(_ label: String) throws
    {
        let key = try policy.holders[1].extendedKey(DerivationPath(parsing: policy.account))
        let ben = try #require(bench.store.cards().first { $0.shownName == "Ben" })
        #expect(bench.store.name(ben.ident, nil))
        func shown() throws -> SpendingTerms.Key? {
            try wallet(policy).spendingPaths(namedBy: bench.store)[1].terms.groups[0].keys.first
        }
        for (text, isShown) in [
            (label, false), ("Ben’s “key”", false), ("Ben’s Schlüssel – Büro 🙂", true), ("बेन हिन्दी", true),
            ("本人 Ben", true),
            ("Анна", true), ("Άννα", true),
        ] {
            bench.store.save([StoredLabel(type: "xpub", reference: key.text, label: text)])
            #expect(try shown()?.label == (isShown ? text : nil))
        }
    }

    /// What two keys are called tells neither from the other, and an ident is a card's alone.
    @Test func labelsThatSeveralKeysHaveAreNotShown() throws {
        let account = try DerivationPath(parsing: policy.account)
        for card in bench.store.cards() { #expect(bench.store.name(card.ident, nil)) }
        let anna = try #require(bench.store.cards().first { $0.fingerprint == policy.holders[0].fingerprint })
        for (labels, shown) in [
            (["Carl", "Carl"], [nil, nil]), (["Carl", "carl."], [nil, nil]), (["Carl", "CARI"], [nil, nil]),
            (["Lil", "William"], ["Lil", "William"]), (["Carl", "Dora"], ["Carl", "Dora"]),
            (["Carl", "\(anna.ident)".lowercased()], ["Carl", nil]),
            (["Carl", "TAPSIGNER \("\(anna.ident)".prefix(11))"], ["Carl", nil]),
        ] as [([String], [String?])] {
            for (holder, label) in zip(policy.holders, labels) {
                bench.store.save([
                    StoredLabel(type: "xpub", reference: try holder.extendedKey(account).text, label: label)
                ])
            }
            let terms = try wallet(policy).spendingPaths(namedBy: bench.store)[0].terms
            #expect(terms.groups.flatMap(\.keys).map(\.label) == shown)
        }
    }

    /// Letters of one script that look like another's, and digits that look like letters.
    @Test(arguments: [
        ("Cox", "\u{421}\u{43E}\u{445}"), ("TOM", "\u{422}\u{41E}\u{41C}"), ("Papa", "\u{420}\u{430}\u{440}\u{430}"),
        ("Cox", "\u{3F9}\u{3BF}\u{3C7}"), ("Toni", "T0NI"), ("Ian", "lan"), ("Ian", "1an"), ("Al", "AI"),
        ("Kate", "\u{39A}\u{391}\u{3A4}\u{395}"),
        ("\u{39D}\u{3AF}\u{3BA}\u{3BF}\u{3C2}", "\u{39D}\u{3B9}\u{301}\u{3BA}\u{3BF}\u{3C2}"),
        ("\u{41F}\u{451}\u{442}\u{440}", "\u{41F}\u{435}\u{308}\u{442}\u{440}"), ("Tom", "Torn"),
        ("Nina", "N\u{131}na"),
    ]) func labelsThatLookLikeACardsNameAreNotShown(_ name: String, _ label: String) throws {
        let cards = bench.store.cards()
        let anna = try #require(cards.first { $0.shownName == "Anna" })
        let ben = try #require(cards.first { $0.shownName == "Ben" })
        let key = try policy.holders[1].extendedKey(DerivationPath(parsing: policy.account))
        bench.store.save([StoredLabel(type: "xpub", reference: key.text, label: label)])
        #expect(bench.store.name(ben.ident, nil) && bench.store.name(anna.ident, name))
        func shown() throws -> String? {
            try wallet(policy).spendingPaths(namedBy: bench.store)[1].terms.groups[0].keys.first?.label
        }
        #expect(try shown() == nil)
        #expect(bench.store.name(anna.ident, "Zoë"))
        #expect(try shown() == label)
    }

    /// Whose key it is said to be, anybody can write: a label must not confirm it.
    @Test func aKeyUnderACardsFingerprintHasNoLabelUnlessItIsProven() throws {
        var policy = policy
        let thief = try SampleWallet(seed: 9)
        policy.holders[1] = SampleWallet(master: thief.master, posingAs: policy.holders[0].fingerprint)
        policy.account = "m/48h/1h/1h/2h"
        let key = try thief.extendedKey(DerivationPath(parsing: policy.account))
        bench.store.save([StoredLabel(type: "xpub", reference: key.text, label: "Mine")])
        #expect(try wallet(policy).spendingPaths(namedBy: bench.store)[1].terms.groups[0].keys.first?.label == nil)
        policy.holders[1] = thief
        #expect(try wallet(policy).spendingPaths(namedBy: bench.store)[1].terms.groups[0].keys.first?.label == "Mine")
    }

    /// An extended key without an origin can have a label, too.
    @Test func aKeyWithoutAnOriginHasALabel() throws {
        let key = try SampleWallet(seed: 7).extendedKey(DerivationPath(parsing: policy.account))
        let text = "wsh(and_v(v:pk(\(key.text)/<0;1>/*),older(10)))"
        let wallet = try WatchWallet(
            StoredWallet(
                name: "w", network: .test, descriptors: [#require(DescriptorText(Descriptor(parsing: text)))],
                created: DrillBench.start))
        bench.store.save([StoredLabel(type: "xpub", reference: key.text, label: "Cleo")])
        #expect(try wallet.spendingPaths(namedBy: bench.store)[0].terms.groups[0].keys.first?.label == "Cleo")
    }

    private func wallet(_ policy: SamplePolicy) throws -> WatchWallet {
        let text = try #require(DescriptorText(policy.descriptor()))
        return try WatchWallet(
            StoredWallet(name: "w", network: .test, descriptors: [text], created: DrillBench.start))
    }

    private func save(_ policies: [SamplePolicy], as name: String, after seconds: Int64 = 0) throws {
        let texts = try policies.map { try #require(DescriptorText($0.descriptor())) }
        bench.store.save(
            StoredWallet(
                name: name, network: .test, descriptors: texts,
                created: UnixTime(seconds: DrillBench.start.seconds + seconds)))
    }

    /// Somebody sends a descriptor with the same keys under other names: the wallet that was there before counts.
    @Test func anotherWalletWithTheSameScriptsDoesNotRenameThem() throws {
        let psbt = try policy.psbt(inputs: 2)
        try save([policy], as: "m")
        var renamed = policy
        renamed.holders = zip(policy.holders, policy.holders.reversed()).map {
            SampleWallet(master: $0.master, posingAs: $1.fingerprint)
        }
        for name in ["a", "z"] { try save([renamed], as: name, after: 1) }
        #expect(try renamed.descriptor().text != policy.descriptor().text)
        #expect(names(try reviewed(psbt).paths.map(\.terms)) == [["Anna", "Ben"], ["Ben"]])
    }

    /// Whoever can write the store adds a descriptor of his own to the wallet.
    @Test func anUnsoundWalletNamesNothing() throws {
        let thief = SamplePolicy(
            "or_d(multi(2,#A,#B),and_v(v:pkh(#b),older(5)))", try [8, 9].map { try SampleWallet(seed: $0) })
        try save([policy, thief], as: "w")
        let theirs = try reviewed(thief.psbt())
        #expect(names(theirs.paths.map(\.terms)) == [[nil, nil], [nil]])
        #expect(theirs.paths[1].terms.older == [5])
    }

    /// Whoever exhausts the keys that are looked at leaves the names that the PSBT gives. Each coin takes three.
    @Test(arguments: [(6, true), (5, false)]) func keysAreLookedAtUpToABound(_ most: Int, _ isKnown: Bool) throws {
        var review = try #require(bench.manager.review(of: policy.psbt(inputs: 2), network: .test).review)
        #expect(names(review.policies[0].paths.map(\.terms)) == [[nil, nil], [nil]])
        try save([policy], as: "w")
        let stored = bench.store.wallets()
        review.learnKeys(of: stored.map { ($0, []) }, KeyLabels([]), in: bench.store, mostKeys: most)
        let known: [[String?]] = [["Anna", "Ben"], ["Ben"]]
        #expect((names(review.policies[0].paths.map(\.terms)) == known) == isKnown)
    }

    /// What a PSBT says of keys that are not in the script does not hide where the coin is.
    @Test func strangersDerivationsHideNothing() async throws {
        let honest = try policy.psbt()
        let text = try #require(policy.descriptor().text)
        _ = try await bench.manager.addWallet(named: "w", of: .parsing([text]), network: .test)
        var psbt = honest
        let stranger = try SampleWallet(seed: 9)
        for index in 1...40 {
            psbt[input: 0].addDerivation(try stranger.derivation(DerivationPath(parsing: "m/48h/1h/0h/2h/0/\(index)")))
        }
        #expect(names(try reviewed(psbt).paths.map(\.terms)) == [["Anna", "Ben"], ["Ben"]])
    }

    /// A PSBT that has the fingerprints the other way round does not exchange the names.
    @Test func aPSBTDoesNotSayWhoseTheyAre() async throws {
        var policy = policy
        policy.hasExtendedKeys = false
        let honest = try policy.psbt()
        _ = try await addWallet(with: honest)
        let (first, second) = (policy.holders[0].fingerprint.bytes, policy.holders[1].fingerprint.bytes)
        var bytes = honest.serialized()
        for start in bytes.indices.dropLast(3) {
            let found = Array(bytes[start..<start + 4])
            if found == first { bytes.replaceSubrange(start..<start + 4, with: second) }
            if found == second { bytes.replaceSubrange(start..<start + 4, with: first) }
        }
        let psbt = try PSBT(serialized: bytes)
        #expect(psbt.inputs != honest.inputs)
        #expect(names(try reviewed(psbt).paths.map(\.terms)) == [["Anna", "Ben"], ["Ben"]])
    }

    /// Somebody else's coins with the card's fingerprint, beside the wallet's or not.
    @Test func othersCoinsHaveNone() async throws {
        let one = try policy.psbt()
        #expect(names(try reviewed(one).paths.map(\.terms)) == [[nil, nil], [nil]])
        _ = try await addWallet(with: one)
        #expect(names(try reviewed(one).paths.map(\.terms)) == [["Anna", "Ben"], ["Ben"]])
        let theirs = try SamplePolicy(policy.expression, strangers()).psbt()
        #expect(names(try reviewed(theirs).paths.map(\.terms)) == [[nil, nil], [nil]])
        #expect(names(try reviewed(together(one, theirs)).paths.map(\.terms)) == [[nil, nil], [nil]])
    }

    /// The same fingerprints, paths and indexes as the holders', but other keys.
    private func strangers() throws -> [SampleWallet] {
        try policy.holders.enumerated().map {
            SampleWallet(master: try SampleWallet(seed: 8 + UInt8($0)).master, posingAs: $1.fingerprint)
        }
    }

    /// A PSBT with the inputs of both.
    private func together(_ first: PSBT, _ second: PSBT) throws -> PSBT {
        let transaction = first.unsignedTransaction
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: transaction.inputs + second.unsignedTransaction.inputs, outputs: transaction.outputs))
        for (index, input) in (first.inputs + second.inputs).enumerated() {
            psbt[input: index].nonWitnessUTXO = input.nonWitnessUTXO
            psbt[input: index].witnessUTXO = input.witnessUTXO
            psbt[input: index].witnessScript = input.witnessScript
            for derivation in input.derivations { psbt[input: index].addDerivation(derivation) }
        }
        return psbt
    }

    /// Who can write the store gives the wallet a coin that is not its own.
    @Test func aCoinThatTheWalletDoesNotDeriveHasNone() async throws {
        let thief = SamplePolicy(policy.expression, try [8, 9].map { try SampleWallet(seed: $0) })
        let psbt = try thief.psbt()
        _ = try await addWallet(with: psbt)
        #expect(names(try reviewed(psbt).paths.map(\.terms)) == [[nil, nil], [nil]])
    }

    /// The paths of taproot come in the order of the PSBT: they keep what its scripts take, and the names that it gives.
    @Test(arguments: [false, true]) func pathsOfTaprootKeepTheirs(_ isReversed: Bool) async throws {
        let account = try DerivationPath(parsing: policy.account)
        let keys = try policy.holders.map {
            "[\($0.fingerprint)\(policy.account.dropFirst())]\(try $0.extendedKey(account).text)/<0;1>/*"
        }
        let nobody = "50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0"
        let descriptor = try Descriptor(parsing: "tr(\(nobody),{pk(\(keys[0])),and_v(v:pk(\(keys[1])),older(10))})")
        let spending = try descriptor.spending(branch: 0, index: 0)
        let taproot = try #require(spending.taproot)
        let funding = try SampleWallet.funding(spending.scriptPubKey, amount: 100_000, salt: 1)
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: [TransactionInput(outpoint: Outpoint(transactionID: funding.id, index: 1), sequence: 10)],
                outputs: [TransactionOutput(value: 50_000, scriptPubKey: spending.scriptPubKey)]))
        psbt[input: 0].nonWitnessUTXO = try PreviousTransaction(funding)
        psbt[input: 0].witnessUTXO = funding.outputs[1]
        psbt[input: 0].taprootInternalKey = taproot.internalKey
        psbt[input: 0].taprootMerkleRoot = taproot.merkleRoot
        for leaf in isReversed ? taproot.leaves.reversed() : taproot.leaves {
            psbt[input: 0].addTaprootLeafScript(leaf)
        }
        for derivation in taproot.derivations { psbt[input: 0].addTaprootDerivation(derivation) }
        _ = try await addWallet(of: descriptor, with: psbt)
        let paths = try reviewed(psbt).paths
        #expect(names(paths.map(\.terms)) == [[nil], [nil]])
        for path in paths {
            let holder = policy.holders[path.terms.older.isEmpty ? 0 : 1]
            #expect(path.terms.groups.flatMap(\.keys) == [.holder(holder.fingerprint)])
        }
    }

    /// Inputs that a PSBT names differently are one policy, once it is known whose keys they are.
    @Test func inputsOfOneWalletAreListedOnce() async throws {
        var policy = policy
        policy.hasExtendedKeys = false
        let psbt = try policy.psbt(inputs: 3)
        _ = try await addWallet(with: psbt)
        var unnamed = try PSBT(unsignedTransaction: psbt.unsignedTransaction)
        for index in psbt.inputs.indices {
            unnamed[input: index].nonWitnessUTXO = psbt.inputs[index].nonWitnessUTXO
            unnamed[input: index].witnessUTXO = psbt.inputs[index].witnessUTXO
            unnamed[input: index].witnessScript = psbt.inputs[index].witnessScript
        }
        for derivation in psbt.inputs[1].derivations { unnamed[input: 1].addDerivation(derivation) }
        let reviewed = try reviewed(unnamed)
        #expect(Set(reviewed.coins.map(\.outpoint)) == Set(psbt.unsignedTransaction.inputs.map(\.outpoint)))
        #expect(names(reviewed.paths.map(\.terms)) == [["Anna", "Ben"], ["Ben"]])
    }

    /// A card that has proven another key where the wallet has one, or none there at all.
    @Test func keysThatAreNotProvenHaveNone() throws {
        var other = policy
        other.account = "m/48h/1h/1h/2h"
        let (wallet, elsewhere) = (try wallet(policy), try wallet(other))
        #expect(names(try elsewhere.spendingPaths(namedBy: bench.store).map(\.terms)) == [[nil, nil], [nil]])
        let thief = try SampleWallet(seed: 9)
        let record = try #require(bench.store.cards().first { $0.shownName == "Ben" })
        let account = try DerivationPath(parsing: policy.account)
        bench.store.save(
            ProvenAccount(
                cardKey: record.publicKey, path: account, key: try thief.extendedKey(account), proven: DrillBench.start)
        )
        #expect(names(try wallet.spendingPaths(namedBy: bench.store).map(\.terms)) == [["Anna", nil], [nil]])
    }
}

import Bitcoin
import FlowSupport
import TapManager
import TestSupport
import Testing

/// Wallets whose descriptors can be read, and whose change would be somebody else's.
@Suite struct WalletFaultTests {
    /// `[origin]xpub` of somebody at BIP-84's first account.
    private func key(_ seed: UInt8, posingAs other: UInt8? = nil) throws -> String {
        let path = try SampleWallet(seed: seed).accountPath(.p2wpkh)
        let origin = KeyOrigin(fingerprint: try SampleWallet(seed: other ?? seed).fingerprint, path: path)
        return "\(origin)\(try SampleWallet(seed: seed).extendedKey(path).text)"
    }

    private func fault(_ descriptors: [String]) throws -> WalletFault? {
        do throws(WalletError) {
            _ = try WalletDraft(name: WalletName(parsing: "w"), network: .regtest, descriptors: descriptors)
            return nil
        } catch {
            guard case .unsound("w", let fault) = error else { throw error }
            return fault
        }
    }

    /// Two of a policy's keys that are needed together are two people's; one person's keys on several spending paths are not.
    @Test func onePersonInTwoPartsOfASpendingPathIsRefused() throws {
        let keys = ["\(try key(1))/<0;1>/*", "\(try key(1))/<2;3>/*", "\(try key(2))/<0;1>/*"]
        func policy(_ text: String) -> String {
            "wsh(\(keys.indices.reduce(text) { $0.replacing("#\($1 + 1)", with: keys[$1]) }))"
        }
        for (text, places) in [
            ("and_v(v:pk(#1),or_d(pk(#2),pk(#3)))", (1, 2)), ("and_v(v:pk(#3),and_v(v:pk(#1),pk(#2)))", (2, 3)),
            ("multi(2,#1,#3,#2)", (1, 3)), ("or_d(pk(#3),and_v(v:pk(#1),pkh(#2)))", (2, 3)),
        ] {
            #expect(try fault([policy(text)]) == .repeatedKey(descriptor: 1, places.0, places.1), "\(text)")
        }
        for text in ["or_d(multi(2,#1,#3),and_v(v:pkh(#2),older(144)))", "or_i(pk(#1),and_v(v:pkh(#2),pk(#3)))"] {
            #expect(try fault([policy(text)]) == nil, "\(text)")
        }
    }

    @Test func changeUnderOtherConditionsIsRefused() throws {
        func policy(_ branch: Int, _ rest: String) throws -> String {
            "wsh(or_d(pk(\(try key(1))/\(branch)/*),and_v(v:pkh(\(try key(2))/\(branch)/*),\(rest))))"
        }
        #expect(try fault([policy(0, "older(144)"), policy(1, "older(144)")]) == nil)
        #expect(try fault([policy(0, "older(144)"), policy(1, "older(1)")]) == .differ(1, 2, .conditions))
        #expect(try fault([policy(0, "older(144)"), policy(1, "after(144)")]) == .differ(1, 2, .conditions))
    }

    /// What is in a script of taproot is compared as in a witness script.
    @Test func scriptsOfTaprootAreCompared() throws {
        let (a, b) = (try key(1), try key(2))
        func wallet(_ branch: Int, _ lock: String) -> String {
            "tr(\(a)/\(branch)/*,and_v(v:pk(\(b)/\(branch)/*),\(lock)))"
        }
        #expect(try fault([wallet(0, "older(144)"), wallet(1, "older(144)")]) == nil)
        #expect(try fault([wallet(0, "older(144)"), wallet(1, "older(145)")]) == .differ(1, 2, .conditions))
        let both = "tr(\(a)/<0;1>/*,and_v(v:pk(\(b)/<0;1>/*),pk(\(b)/<2;3>/*)))"
        #expect(try fault([both]) == .repeatedKey(descriptor: 1, 2, 3))
    }

    @Test func aForeignChangeBranchIsRefused() throws {
        let (ours, theirs, posing) = (try key(1), try key(2), try key(2, posingAs: 1))
        #expect(try fault(["wpkh(\(ours)/0/*)", "wpkh(\(ours)/1/*)"]) == nil)
        #expect(try fault(["wpkh(\(ours)/<0;1>/*)"]) == nil)
        for thief in [theirs, posing] {
            #expect(try fault(["wpkh(\(ours)/0/*)", "wpkh(\(thief)/1/*)"]) == .differ(1, 2, .keys))
            #expect(try fault(["wpkh(\(thief)/1/*)", "wpkh(\(ours)/0/*)"]) == .differ(1, 2, .keys))
            #expect(try fault(["wpkh(\(ours)/0/*)", "wpkh(\(thief)/<0;1>/*)"]) == .differ(1, 2, .keys))
            #expect(try fault(["wpkh(\(ours)/<0;1>/*)", "wpkh(\(thief)/<0;1>/*)"]) == .differ(1, 2, .keys))
            #expect(
                try fault(["wpkh(\(ours)/0/*)", "wpkh(\(ours)/1/*)", "pkh(\(thief)/1/*)"]) == .differ(1, 3, .keys))
        }
        let bare = try #require(ours.split(separator: "]").last)
        #expect(try fault(["wpkh(\(ours)/0/*)", "wpkh(\(bare)/1/*)"]) == .differ(1, 2, .origins))
    }

    /// The same point with another chain code derives other keys.
    @Test func anotherChainCodeIsAnotherKey() throws {
        let path = try SampleWallet(seed: 1).accountPath(.p2wpkh)
        let own = try SampleWallet(seed: 1).extendedKey(path)
        let other = ExtendedPublicKey(
            network: own.network, depth: own.depth, parentFingerprint: own.parentFingerprint,
            childNumber: own.childNumber, chainCode: ChainCode(repeating: 1), publicKey: own.publicKey)
        #expect(try fault(["wpkh(\(own.text)/0/*)", "wpkh(\(other.text)/1/*)"]) == .differ(1, 2, .keys))
    }

    @Test func branchesOfOtherThresholdsFormsAndStepsAreRefused() throws {
        let (a, b, c) = (try key(1), try key(2), try key(3))
        func multi(_ threshold: Int, _ keys: [String], _ steps: String, _ name: String = "sortedmulti") -> String {
            "wsh(\(name)(\(threshold),\(keys.map { $0 + steps }.joined(separator: ","))))"
        }
        #expect(try fault([multi(2, [a, b], "/0/*"), multi(2, [a, b], "/1/*")]) == nil)
        // Sorted keys stand in any order.
        #expect(try fault([multi(2, [a, b], "/0/*"), multi(2, [b, a], "/1/*")]) == nil)
        #expect(
            try fault([multi(2, [a, b], "/0/*", "multi"), multi(2, [b, a], "/1/*", "multi")]) == .differ(1, 2, .keys))
        #expect(try fault([multi(2, [a, b], "/0/*"), multi(1, [a, b], "/1/*")]) == .differ(1, 2, .threshold))
        #expect(try fault([multi(2, [a, b], "/<0;1>/*"), multi(1, [a, b], "/<0;1>/*")]) == .differ(1, 2, .threshold))
        #expect(try fault([multi(2, [a, b], "/0/*"), multi(2, [a, c], "/1/*")]) == .differ(1, 2, .keys))
        #expect(try fault([multi(2, [a, b], "/0/*"), multi(2, [a, b, c], "/1/*")]) == .differ(1, 2, .keyCount))
        #expect(try fault([multi(2, [a, b], "/0/*"), multi(2, [a, b], "/5/1/*")]) == .unpaired(1, isChange: false))
        #expect(
            try fault([multi(2, [a, b], "/0/*"), "sh(\(multi(2, [a, b], "/1/*")))"]) == .unpaired(1, isChange: false))
        #expect(try fault(["wpkh(\(a)/0/*)", "sh(wpkh(\(a)/1/*))"]) == .unpaired(1, isChange: false))
        #expect(try fault(["wpkh(\(a)/0/*)", "wpkh(\(a)/1999999999/1/*)"]) == .unpaired(1, isChange: false))
        #expect(try fault(["wpkh(\(a)/<0;1>/*)", "tr(\(a)/<0;1>/*)"]) == .differ(1, 2, .taproot))
        #expect(try fault(["wpkh(\(a)/<0;1>/*)", "pkh(\(a)/<0;1>/*)", "combo(\(a)/<2;3>/*)"]) == nil)
    }

    @Test func oneKeyStandsForOneCosigner() throws {
        let (a, b) = (try key(1), try key(2))
        let bare = try #require(b.split(separator: "]").last)
        for keys in [[a, b, b], [a, b, String(bare)], [a, b, try key(2, posingAs: 3)]] {
            for wrap in ["wsh(sortedmulti(2,KEYS))", "sh(multi(2,KEYS))", "sh(wsh(sortedmulti(1,KEYS)))"] {
                for steps in [["/<0;1>/*", "/<0;1>/*", "/<0;1>/*"], ["/<0;1>/*", "/<0;1>/*", "/<2;3>/*"]] {
                    let texts = zip(keys, steps).map { $0 + $1 }.joined(separator: ",")
                    #expect(
                        try fault([wrap.replacing("KEYS", with: texts)]) == .repeatedKey(descriptor: 1, 2, 3))
                }
            }
        }
        // The inner key of a taproot output may open a leaf as well: that is no cosigner.
        #expect(try fault(["tr(\(a)/<0;1>/*,multi_a(1,\(a)/<0;1>/*,\(b)/<0;1>/*))"]) == nil)
        #expect(
            try fault(["tr(\(a)/<0;1>/*,multi_a(2,\(b)/<0;1>/*,\(b)/<2;3>/*))"])
                == .repeatedKey(descriptor: 1, 2, 3))
    }

    /// A child of a cosigner's key is his, too, wherever both stand, and whatever its header says of where it comes from.
    @Test(arguments: [0, 1, 7] as [UInt32]) func aCosignersChildIsNoOtherCosigner(_ number: UInt32) throws {
        let path = try SampleWallet(seed: 2).accountPath(.p2wpkh)
        let (a, parent) = (try key(1), try SampleWallet(seed: 2).extendedKey(path))
        let child = try parent.child(ChildNumber(rawValue: number))
        let lying = ExtendedPublicKey(
            network: child.network, depth: 3, parentFingerprint: try SampleWallet(seed: 3).fingerprint,
            childNumber: parent.childNumber, chainCode: child.chainCode, publicKey: child.publicKey)
        let wraps = ["wsh(sortedmulti(2,KEYS))", "sh(multi(2,KEYS))", "tr(\(a)/<6;7>/*,multi_a(2,KEYS))"]
        func refuses(_ keys: [String], _ places: (Int, Int)) throws {
            for wrap in wraps {
                let ahead = wrap.hasPrefix("tr") ? 1 : 0
                #expect(
                    try fault([wrap.replacing("KEYS", with: keys.joined(separator: ","))])
                        == .repeatedKey(descriptor: 1, ahead + places.0, ahead + places.1), "\(keys)")
            }
        }
        // The same script key at once, at the first number.
        try refuses(["\(a)/0/*", "\(parent.text)/\(number)/*", "\(lying.text)/*"], (2, 3))
        // Other steps hide that, not the child.
        try refuses(["\(a)/0/*", "\(parent.text)/3/*", "\(child.text)/4/*"], (2, 3))
        try refuses(["\(child.text)/4/*", "\(a)/0/*", "\(parent.text)/3/*"], (1, 3))
        if number < 2 { try refuses(["\(lying.text)/4/*", "\(parent.text)/3/*", "\(a)/0/*"], (1, 2)) }
        // Only the second branch holds the key twice.
        try refuses(["\(a)/<0;1>/*", "\(parent.text)/<9;\(number)>/*", "\(lying.text)/*"], (2, 3))
        // Without its parent it is a key like any other.
        #expect(try fault(["wsh(sortedmulti(2,\(a)/0/*,\(child.text)/0/*))"]) == nil)
    }

    @Test func changeGoesToTheFormThatReceives() throws {
        let a = try key(1)
        let wallet = try WalletDraft(
            name: WalletName(parsing: "w"), network: .regtest,
            descriptors: ["pkh(\(a)/0/*)", "wpkh(\(a)/0/*)", "wpkh(\(a)/1/*)", "pkh(\(a)/1/*)"]
        ).wallet
        #expect(wallet.receivingBranch?.descriptor == 0 && wallet.changeBranch?.descriptor == 3)
    }

    /// A wallet that an earlier program stored can be looked at, and nothing is built with it.
    @Test func aWalletOfAnOlderStoreIsNotBuiltWith() async throws {
        let wallet = try WatchWallet(
            StoredWallet(
                name: "mix", network: .regtest,
                descriptors: ["wpkh(\(try key(1))/0/*)", "wpkh(\(try key(2))/1/*)"], created: UnixTime(seconds: 1)))
        #expect(wallet.fault == .differ(1, 2, .keys))
        let source = FakeChain()
        try source.pay(wallet.script(at: .init(descriptor: 0, branch: 0, index: 0)), 50_000, salt: 1)
        let chain = try await WalletSync(wallet, source: source).run(known: nil, at: UnixTime(seconds: 1))
        #expect(chain.coins.count == 1)
        var generator = SeededGenerator()
        let rate = try #require(FeeRate(satoshisPerKiloVirtualByte: 1_000))
        let amount = try #require(Amount(satoshis: 10_000))
        let order = WalletOrder(
            payments: [Payment(to: WalletBench.stranger, amount: amount)], drain: nil, fee: .rate(rate))
        let expected = CreationError.wallet(.unsound("mix", .differ(1, 2, .keys)))
        #expect(throws: expected) { try WalletBuilder(wallet, chain).build(order, at: rate, using: &generator) }
        let psbt = try SampleWallet(seed: 1).psbt()
        #expect(throws: expected) {
            try WalletBuilder(wallet, chain).replacement(
                of: psbt, drains: false, feeRate: rate, version: .v0, using: &generator)
        }
    }
}

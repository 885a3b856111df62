import Bitcoin
import FlowSupport
import TapManager
import TestSupport
import Testing

/// Which addresses of its key a card can sign for, and wallets find.
@Suite struct WatchWalletReachTests {
    private let origin: KeyOrigin
    private let own: String
    private let other: String

    init() throws {
        let (ours, theirs) = (try SampleWallet(seed: 1), try SampleWallet(seed: 2))
        let path = try ours.accountPath(.p2wpkh)
        origin = KeyOrigin(fingerprint: ours.fingerprint, path: path)
        own = "\(origin)\(try ours.extendedKey(path).text)"
        other = "\(KeyOrigin(fingerprint: theirs.fingerprint, path: path))\(try theirs.extendedKey(path).text)"
    }

    private func wallet(_ text: String) throws -> WatchWallet {
        try WalletDraft(
            name: WalletName(parsing: "w"), network: .regtest,
            descriptors: [text.replacing("OWN", with: own).replacing("OTHER", with: other)]
        ).wallet
    }

    private func fault(_ text: String, index: UInt32 = 5) throws -> ReachFault? {
        let wallet = try wallet(text)
        let place = try #require(wallet.receivingBranch).place(index)
        do throws(ReachFault) {
            try wallet.requireReach(of: place, from: origin)
            return nil
        } catch { return error }
    }

    private func path(_ steps: String) throws -> DerivationPath {
        try DerivationPath(parsing: "\(origin.path)/\(steps)")
    }

    @Test(arguments: [
        "wsh(or_d(multi(2,OWN/<0;1>/*,OTHER/<0;1>/*),and_v(v:pkh(OWN/<2;3>/*),older(9))))",
        "wsh(or_d(multi(2,OTHER/<0;1>/*,OWN/<0;1>/*),and_v(v:pkh(OTHER/<2;3>/*),older(9))))",
        "wpkh(OWN/<0;1>/*)", "pkh(OWN/1/*)", "sh(wpkh(OWN/0/*))", "wsh(sortedmulti(1,OTHER/0/*,OWN/0/*))",
    ])
    func whatWalletsUseIsInReach(_ text: String) throws { #expect(try fault(text) == nil) }

    @Test func whatTheCardCannotSignForIsOutOfReach() throws {
        #expect(try fault("wpkh(OWN/7/1999999999/3/*)") == .notSignable(path("7/1999999999/3/5")))
        #expect(try fault("wpkh(OWN/0/0/*)") == .notSignable(path("0/0/5")))
        #expect(try fault("tr(OWN/<0;1>/*)") == .taproot)
        // Nothing of the card's is in it.
        #expect(try fault("wpkh(OTHER/<0;1>/*)") == .notSignable(origin.path))
    }

    @Test func whereWalletsDoNotLookIsOutOfReach() throws {
        #expect(try fault("wpkh(OWN/2/*)") == .unusualBranch(path("2/5")))
        #expect(try fault("wpkh(OWN/1999999999/*)") == .unusualBranch(path("1999999999/5")))
        #expect(try fault("wpkh(OWN/*)") == .unusualBranch(path("5")))
        #expect(try fault("wsh(sortedmulti(1,OWN/0/*,OTHER/1999999999/*))") == .keysApart)
        for branches in ["<4;5>", "<3;2>", "<1999999999;1999999998>"] {
            let recovery = "wsh(or_d(multi(2,OWN/<0;1>/*,OTHER/<0;1>/*),and_v(v:pkh(OWN/\(branches)/*),older(9))))"
            #expect(try fault(recovery) == .keysApart)
        }
        #expect(try fault("wsh(or_d(pk(OWN/<0;1>/*),and_v(v:pkh(OTHER/<2;3>/*),older(9))))") == .keysApart)
        #expect(try fault("wsh(sortedmulti(1,OWN/0/*,OTHER/0/7))") == .keysApart)
        #expect(try fault("wsh(sortedmulti(1,OWN/<0;1>/*,OTHER/<1;0>/*))") == .keysApart)
    }

    @Test func howFarWalletsLook() async throws {
        let bench = try WalletBench()
        try bench.source.pay(bench.script(0, 7), 50_000, salt: 1)
        let known = try await bench.chain()
        func isNear(_ index: UInt32, _ known: WalletChain?) -> Bool {
            do throws(ReachFault) {
                try bench.wallet.requireNear(WalletPlace(descriptor: 0, branch: 0, index: index), known: known)
                return true
            } catch { return false }
        }
        #expect(isNear(0, known) && isNear(8, known) && isNear(27, known))
        #expect(!isNear(28, known) && !isNear(2_147_483_647, known))
        // Where nobody was asked, many may be in use.
        #expect(isNear(999, nil) && !isNear(1_000, nil) && !isNear(2_147_483_647, nil))
    }
}

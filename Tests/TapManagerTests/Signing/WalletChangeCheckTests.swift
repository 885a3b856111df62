import Bitcoin
import FlowSupport
import TapManager
import TestSupport
import Testing

/// What a wallet calls its own change, held against the keys of the one who signs.
@Suite struct WalletChangeCheckTests {
    /// A 2-of-2 wallet of two people, one of whom may be without an origin, and its transaction.
    private func transaction(
        withOrigin: Bool
    ) async throws -> (wallet: WatchWallet, psbt: PSBT, ours: SampleWallet, theirs: SampleWallet) {
        let (ours, theirs) = (try SampleWallet(seed: 1), try SampleWallet(seed: 2))
        let path = try ours.accountPath(.p2wpkh)
        let keys = try [ours, theirs].map { person in
            let origin = KeyOrigin(fingerprint: person.fingerprint, path: path).description
            let isNamed = withOrigin || person.fingerprint == ours.fingerprint
            return "\(isNamed ? origin : "")\(try person.extendedKey(path).text)/<0;1>/*"
        }
        let wallet = try WalletDraft(
            name: WalletName(parsing: "ours"), network: .regtest,
            descriptors: ["wsh(sortedmulti(2,\(keys.joined(separator: ","))))"]
        ).wallet
        let source = FakeChain()
        try source.pay(wallet.script(at: .init(descriptor: 0, branch: 0, index: 0)), 50_000, salt: 1)
        let chain = try await WalletSync(wallet, source: source).run(known: nil, at: UnixTime(seconds: 1))
        var generator = SeededGenerator(for: "wallet change")
        let amount = try #require(Amount(satoshis: 10_000))
        let order = WalletOrder(
            payments: [Payment(to: WalletBench.stranger, amount: amount)], drain: nil, fee: .rate(.relay))
        return (wallet, try WalletBuilder(wallet, chain).build(order, at: .relay, using: &generator).psbt, ours, theirs)
    }

    private func findings(_ psbt: PSBT, _ signer: SampleWallet, _ wallet: WatchWallet?) throws -> [Finding] {
        let path = try signer.accountPath(.p2wpkh)
        let keys = SignerKeys(masterFingerprint: signer.fingerprint, accounts: [path: try signer.extendedKey(path)])
        return try SigningPlanner(psbt: psbt, network: .regtest, wallet: wallet)
            .plan(keys: keys, present: path, final: path).findings
    }

    @Test func provenChangeIsNoFinding() async throws {
        let (wallet, psbt, ours, _) = try await transaction(withOrigin: true)
        #expect(try findings(psbt, ours, wallet).allSatisfy { $0.severity == .notice })
    }

    @Test func unprovenChangeIsAFindingOfItsOwn() async throws {
        let (wallet, psbt, ours, _) = try await transaction(withOrigin: false)
        let found = try findings(psbt, ours, wallet)
        #expect(found.contains { $0.code == .walletChangeNotProven && $0.severity == .warning })
        #expect(FindingCode.walletChangeNotProven.needsAcceptance)
        // Without a wallet nobody calls it his own but the PSBT.
        #expect(try findings(psbt, ours, nil).map(\.code).filter { $0 == .walletChangeNotProven }.isEmpty)
    }

    /// An output that nobody but the wallet calls change: the PSBT does not name the signer there.
    @Test func whatTheWalletAloneCallsChangeIsAFinding() async throws {
        var (wallet, psbt, ours, theirs) = try await transaction(withOrigin: true)
        let index = try #require(psbt.outputs.firstIndex { !$0.derivations.isEmpty })
        let kept = psbt.outputs[index].derivations.filter { $0.fingerprint == theirs.fingerprint }
        var bare = try PSBT(unsignedTransaction: psbt.unsignedTransaction)
        bare.setInputs(psbt.inputs)
        for derivation in kept { bare[output: index].addDerivation(derivation) }
        psbt = bare
        #expect(try findings(psbt, ours, wallet).contains { $0.code == .walletChangeNotProven })
    }

    @Test func anUnsoundWalletsTransactionIsRefused() async throws {
        let (_, psbt, ours, theirs) = try await transaction(withOrigin: true)
        let path = try ours.accountPath(.p2wpkh)
        let mix = try WatchWallet(
            StoredWallet(
                name: "mix", network: .regtest,
                descriptors: [
                    "wpkh(\(try ours.extendedKey(path).text)/0/*)", "wpkh(\(try theirs.extendedKey(path).text)/1/*)",
                ], created: UnixTime(seconds: 1)))
        do throws(SigningRefusal) {
            let keys = SignerKeys(masterFingerprint: ours.fingerprint)
            _ = try SigningPlanner(psbt: psbt, network: .regtest, wallet: mix).plan(
                keys: keys, present: path, final: path)
            Issue.record("planned")
        } catch { #expect(error.findings.contains { $0.code == .walletUnsound }) }
    }
}

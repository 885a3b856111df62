import Bitcoin
import TestSupport
import Testing

@testable import TapManager

/// Whoever writes the PSBT: whatever he says, only what the wallet's own descriptors derive, where a search finds it, is
/// called proven change.
@Suite struct PSBTWriterTests {
    private static let wallets = MatrixShare.rounds(240)
    private static let liesOnEach = 5

    private func plan(_ psbt: PSBT, _ wallet: RandomWallet, isRegistered: Bool = false) throws -> SigningPlan {
        let card = wallet.signers[0].wallet
        var known = StoredWallets()
        if isRegistered {
            let text = try #require(DescriptorText(wallet.descriptor()))
            let stored = StoredWallet(
                name: "w", network: .test, descriptors: [text], created: UnixTime(seconds: 0))
            known.registered = [try WatchWallet(stored)]
        }
        let planner = SigningPlanner(psbt: psbt, network: .test, known: known)
        var keys = SignerKeys(masterFingerprint: card.fingerprint)
        for account in try planner.accounts(of: card.fingerprint) {
            keys.add(try card.extendedKey(account), at: account)
        }
        return try planner.plan(keys: keys, present: DerivationPath(), final: DerivationPath())
    }

    private static let aboutChange: Set<FindingCode> = [.changePathUnusual, .changeNotProven]

    @Test func anHonestWritersChangeIsProven() throws {
        var generator = SeededGenerator()
        for _ in 0..<Self.wallets {
            let wallet = try RandomWallet(using: &generator)
            let payment = try wallet.payment(using: &generator)
            #expect(try wallet.finds(payment.outputs[0].script))
            let plan = try plan(try payment.psbt(), wallet)
            #expect(plan.findings.filter { Self.aboutChange.contains($0.code) } == [])
            #expect(plan.review.outputs.map(\.isProvenChange) == [false, true])
            // A card with two keys signs with the second one where a path that is open wants it.
            let keys = wallet.signers.count { $0.branch > 0 } + 1
            #expect([1, keys].contains { plan.signatureCount == $0 * payment.inputs.count })
        }
    }

    /// A registered wallet says itself what its keys are.
    @Test func anHonestWriterNeedNotProveARegisteredWalletsKeys() throws {
        var generator = SeededGenerator()
        for _ in 0..<Self.wallets {
            let wallet = try RandomWallet(using: &generator)
            guard wallet.siblings.isEmpty else { continue }
            var payment = try wallet.payment(using: &generator)
            payment.extendedKeys = []
            let plan = try plan(try payment.psbt(), wallet, isRegistered: true)
            #expect(plan.findings.filter { Self.aboutChange.contains($0.code) } == [])
            #expect(plan.review.outputs.map(\.isProvenChange) == [false, true])
        }
    }

    /// Whether the card has registered the wallet or not.
    @Test(arguments: [false, true]) func aLiarsChangeIsNever(_ isRegistered: Bool) throws {
        var generator = SeededGenerator()
        var (proven, warned, refused, believedByTheNaive) = (0, 0, 0, 0)
        for _ in 0..<Self.wallets {
            let wallet = try RandomWallet(using: &generator)
            for _ in 0..<Self.liesOnEach {
                let writer = try PSBTWriter(wallet, using: &generator)
                var crafted = try wallet.payment(using: &generator)
                var lies: [PSBTWriter.Lie] = []
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let lie = try #require(PSBTWriter.Lie.allCases.randomElement(using: &generator))
                    lies.append(lie)
                    try writer.tell(lie, in: &crafted, using: &generator)
                }
                // A multisig in which a key stands twice is no script that anybody can be paid with.
                guard let psbt = try? crafted.psbt() else { continue }
                let isOurs = try wallet.finds(
                    crafted.outputs[0].script, besides: crafted.inputs.map(\.script))
                if !isOurs, NaiveJudge(psbt).believes(output: 1) { believedByTheNaive += 1 }
                let plan: SigningPlan
                do { plan = try self.plan(psbt, wallet, isRegistered: isRegistered) } catch is SigningRefusal {
                    refused += 1
                    continue
                }
                let isProven = plan.review.outputs[1].isProvenChange
                #expect(isOurs || !isProven, "\(lies) of \(writer.seat.map { "cosigner \($0)" } ?? "an outsider")")
                if isProven {
                    proven += 1
                } else if plan.findings.contains(where: { Self.aboutChange.contains($0.code) }) {
                    warned += 1
                }
            }
        }
        print("Writers' change: \(proven) proven and ours, \(warned) warned about, \(refused) refused")
        // They are worth their name: a judge who asks only that some extended key derives each key is robbed by them.
        #expect(believedByTheNaive > 10 && proven > 10 && warned > 10 && refused > 10)
    }
}

/// What a hasty judge asks: the threshold, and that each key of the output is derived by one of the extended keys that also
/// derive keys of the inputs.
private struct NaiveJudge {
    private let psbt: PSBT

    init(_ psbt: PSBT) { self.psbt = psbt }

    func believes(output index: Int) -> Bool {
        let fields = psbt.outputs[index]
        guard let script = fields.witnessScript ?? fields.redeemScript, let multisig = MultisigScript(script),
            let input = psbt.inputs.first,
            let spent = (input.witnessScript ?? input.redeemScript).flatMap({ MultisigScript($0) }),
            spent.threshold == multisig.threshold, spent.keys.count == multisig.keys.count
        else { return false }
        let known = psbt.globalExtendedKeys.filter { key in input.derivations.contains { Self.derives(key, $0) } }
        return multisig.keys.allSatisfy { key in
            guard let derivation = fields.derivations.first(where: { $0.publicKey == key }) else { return false }
            return known.contains { Self.derives($0, derivation) }
        }
    }

    private static func derives(_ key: ExtendedKeyDerivation, _ derivation: KeyDerivation) -> Bool {
        let rest = DerivationPath(derivation.path.steps.suffix(2))
        return (try? key.extendedPublicKey?.descendant(rest))?.publicKey.bytes == derivation.publicKey
    }
}

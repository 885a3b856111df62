import Bitcoin
import TapManager
import TestSupport
import Testing

/// Whatever wallet somebody writes for others, they pay and sign with it as honest people do, and nothing leaves to a key
/// that its receiving address does not have.
///
/// The judge is the text of the descriptor that receives: not one line of what decides is asked.
@Suite struct DescriptorWriterTests {
    private static let rounds = MatrixShare.rounds(1_200)
    private static let payee = Script([0x00, 0x14] + [UInt8](repeating: 7, count: 20))
    private static let reach: UInt32 = 40
    private let writer: DescriptorWriter

    init() throws { writer = try DescriptorWriter() }

    @Test func nothingLeavesToAKeyThatWasNotShown() throws {
        var generator = SeededGenerator()
        var (taken, refused, signed) = (0, 0, 0)
        for round in 0..<Self.rounds {
            var drafts = try writer.honest(using: &generator)
            let isHonest = round % 3 == 0
            let changes = isHonest ? 0 : Int.random(in: 1...3, using: &generator)
            for _ in 0..<changes { drafts = try writer.dishonest(drafts, using: &generator) }
            let texts = drafts.map(\.text)
            guard
                let wallet = try? WalletDraft(name: WalletName(parsing: "w"), network: .regtest, descriptors: texts)
                    .wallet
            else {
                #expect(!isHonest, "refused: \(texts)")
                refused += 1
                continue
            }
            taken += 1
            let receiving = try #require(wallet.receivingBranch)
            let shown = drafts[receiving.descriptor]
            #expect(Set(shown.bareKeys).count == shown.keys.count || shown.threshold == nil, "one key twice: \(texts)")
            let change = drafts[try #require(wallet.changeBranch).descriptor]
            #expect(change.bareKeys == shown.bareKeys && change.threshold == shown.threshold, "\(texts)")
            if try isVerified(wallet, receiving) {
                signed += try payAndSign(wallet, receiving, shown, using: &generator) ? 1 : 0
            } else {
                #expect(!isHonest, "not verified: \(texts)")
            }
        }
        // Each kind of wallet was there.
        #expect(
            taken > Self.rounds / 3 && refused > Self.rounds / 6 && signed > Self.rounds / 4,
            "\(taken) taken, \(refused) refused, \(signed) signed")
    }

    /// What `wallet receive --verify` asks the card, of the address and its change.
    private func isVerified(_ wallet: WatchWallet, _ receiving: WatchWallet.Branch) throws -> Bool {
        let person = writer.people[0]
        let origin = KeyOrigin(fingerprint: person.fingerprint, path: writer.account)
        let own = try person.extendedKey(writer.account)
        for branch in [receiving, try #require(wallet.changeBranch)] {
            let keys = wallet.descriptors[branch.descriptor].keys.filter { $0.origin == origin }
            guard let key = keys.first, case .extended(let extended) = key.material, extended == own else {
                return false
            }
            do throws(ReachFault) {
                try wallet.requireReach(of: branch.place(branch.isRanged ? 3 : 0), from: origin)
            } catch {
                return false
            }
        }
        return true
    }

    /// Pays somebody out of a coin at the receiving branch.
    /// - Returns: whether the person signs that, with nothing to accept beyond `--yes`.
    private func payAndSign(
        _ wallet: WatchWallet, _ receiving: WatchWallet.Branch, _ shown: DescriptorWriter.Draft,
        using generator: inout SeededGenerator
    ) throws -> Bool {
        let place = receiving.place(3)
        let funding = try SampleWallet.funding(wallet.script(at: place), amount: 900_000, salt: 1)
        let coin = WalletCoin(
            outpoint: Outpoint(transactionID: funding.id, index: 1), output: funding.outputs[1], place: place,
            height: 100,
            isCoinbase: false)
        let chain = WalletChain(
            network: .regtest, server: "honest", height: 200, time: UnixTime(seconds: 1), hasHistory: true,
            scripts: [.init(place: place, script: coin.output.scriptPubKey, isUsed: true)],
            transactions: [.init(transaction: funding, id: funding.id, height: 100)], coins: [coin])
        let amount = try #require(Amount(satoshis: 300_000))
        let psbt = try WalletBuilder(wallet, chain).build(
            WalletOrder(payments: [Payment(to: Self.payee, amount: amount)], fee: .rate(.relay)), at: .relay,
            using: &generator
        ).psbt
        let own = try expectedScripts(of: shown)
        for output in psbt.unsignedTransaction.outputs {
            #expect(output.scriptPubKey == Self.payee || own.contains(output.scriptPubKey), "\(shown.text)")
        }
        let person = writer.people[0]
        let keys = SignerKeys(
            masterFingerprint: person.fingerprint, accounts: [writer.account: try person.extendedKey(writer.account)])
        let plan: SigningPlan
        do throws(SigningRefusal) {
            plan = try SigningPlanner(psbt: psbt, network: .regtest, wallet: wallet)
                .plan(keys: keys, present: writer.account, final: writer.account)
        } catch { return false }
        return plan.findings.allSatisfy { !$0.code.needsAcceptance }
    }

    /// The scripts of the shown keys where wallets look, derived from the text that was shown.
    private func expectedScripts(of shown: DescriptorWriter.Draft) throws -> Set<Script> {
        var scripts: Set<Script> = []
        for branch in ["/0/*", "/1/*"] {
            let descriptor = try Descriptor(parsing: shown.text(branch))
            for index in 0..<Self.reach { scripts.insert(try descriptor.script(index: index)) }
        }
        return scripts
    }
}

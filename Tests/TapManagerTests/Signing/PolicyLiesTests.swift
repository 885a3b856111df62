import Bitcoin
import TestSupport
import Testing

@testable import TapManager

/// Lies about the change of a wallet whose policy is miniscript: it must be spendable by the same people under the same
/// conditions, each in their place.
@Suite struct PolicyLiesTests {
    private let bench: PlanBench
    private let others: [SampleWallet]
    private let stranger: SampleWallet

    init() throws {
        bench = try PlanBench()
        others = try [2, 3].map { try SampleWallet(seed: $0) }
        stranger = try SampleWallet(seed: 4)
    }

    /// The card is `A`; whoever is `C` may spend alone after a time.
    private static let recovery = "or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(144)))"
    private static let policies = [
        recovery, "thresh(2,pk(#A),s:pk(#B),s:pk(#C),sln:older(144))",
        "andor(pk(#B),pk(#A),and_v(v:pkh(#C),after(900000)))",
        "or_d(multi(2,#A,#B),and_v(v:pkh(#a),older(52560)))",
        "andor(pk(#A),sha256(\(String(repeating: "ab", count: 32))),and_v(v:multi(2,#B,#C),older(4194484)))",
    ]

    private func wallet(_ policy: String = recovery) -> SamplePolicy { SamplePolicy(policy, [bench.wallet] + others) }

    @Test(arguments: policies) func changeIsProvenByTheHoldersExtendedKeys(_ policy: String) throws {
        var wallet = wallet(policy)
        let plan = try bench.plan(try wallet.psbt(inputs: 3))
        #expect(plan.findings.filter { $0.severity > .notice } == [])
        #expect(plan.review.outputs.map(\.isProvenChange) == [false, true])
        wallet.hasExtendedKeys = false
        #expect(try bench.warnings(try wallet.psbt()) == [.changeNotProven])
        #expect(try bench.plan(try wallet.psbt()).review.outputs.map(\.isProvenChange) == [false, false])
    }

    @Test(arguments: [
        // The one who may spend after a time may spend at once; a cosigner has two places, or another one's.
        "or_d(multi(2,#A,#C),and_v(v:pkh(#B),older(144)))", "or_d(multi(2,#A,#B),and_v(v:pkh(#b),older(144)))",
        "or_d(multi(2,#B,#A),and_v(v:pkh(#C),older(144)))", "or_d(multi(2,#A,#B),and_v(v:pkh(#c),older(144)))",
        // Other conditions.
        "or_d(multi(1,#A,#B),and_v(v:pkh(#C),older(144)))", "or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(143)))",
        "or_d(multi(2,#A,#B),and_v(v:pkh(#C),after(144)))", "or_d(multi(2,#A,#B),and_v(v:pk(#C),older(144)))",
        "or_i(multi(2,#A,#B),and_v(v:pkh(#C),older(144)))", "or_d(pk(#A),and_v(v:pkh(#C),older(144)))",
    ])
    func changeUnderOtherConditions(_ policy: String) throws {
        let psbt = try wallet().psbt(inputs: 2, change: wallet(policy))
        #expect(try bench.refusals(psbt) == [.changeCosignersDiffer])
    }

    @Test func changeOfAnotherAccountOrScriptType() throws {
        var change = wallet()
        change.account = "m/48h/1h/1h/2h"
        #expect(try bench.refusals(try wallet().psbt(change: change)) == [.changeCosignersDiffer])
        var psbt = try wallet().psbt()
        let script = try #require(psbt.outputs[1].witnessScript)
        let output = TransactionOutput(value: 49_000, scriptPubKey: .p2sh(.p2wsh(script)))
        psbt = try psbt.paying(output, fields: psbt.outputs[1]) { $0.redeemScript = .p2wsh(script) }
        #expect(try bench.refusals(psbt) == [.changeCosignersDiffer])
    }

    /// Strangers' keys under the names of those whose places they take.
    @Test(arguments: ["B", "C"], [true, false])
    func changeToAStrangerInAnothersName(_ place: String, _ hasStrangersKeys: Bool) throws {
        let victim = others[place == "B" ? 0 : 1]
        var holders = [bench.wallet] + others
        holders[place == "B" ? 1 : 2] = SampleWallet(master: stranger.master, posingAs: victim.fingerprint)
        let change = SamplePolicy(Self.recovery, holders)
        var psbt = try wallet().psbt(inputs: 2, change: change)
        if hasStrangersKeys { try change.addExtendedKeys(to: &psbt) }
        let refusals = try bench.refusals(psbt)
        #expect(refusals == [.changeCosignersDiffer])
    }

    /// A cosigner's key in his own place and in another's, all inputs under the other's name.
    @Test func twoPlacesUnderOneNameStayTwoPeople() throws {
        let disguised = SampleWallet(master: others[1].master, posingAs: others[0].fingerprint)
        let inputs = SamplePolicy(Self.recovery, [bench.wallet, others[0], disguised])
        let change = SamplePolicy(Self.recovery, [bench.wallet, disguised, others[0]])
        var psbt = try inputs.psbt(inputs: 2, change: change)
        try change.addExtendedKeys(to: &psbt)
        #expect(try bench.refusals(psbt) == [.changeCosignersDiffer])
        // Honest change of the same inputs is not called a lie.
        #expect(try bench.refusals(try inputs.psbt(inputs: 2)) == [])
    }

    /// The money comes back where one key alone, a multisig or a simpler policy has it.
    @Test func changeOfAnotherKind() throws {
        let multisig = SampleMultisig(.p2wsh, [bench.wallet, others[0]])
        let script = try multisig.script(1, 0)
        var psbt = try wallet().psbt()
        psbt = try psbt.paying(
            TransactionOutput(value: 49_000, scriptPubKey: .p2wsh(script)), fields: PSBT.Output()
        ) { fields in
            fields.witnessScript = script
            for cosigner in multisig.cosigners {
                fields.addDerivation(try cosigner.derivation(try multisig.path(1, 0)))
            }
        }
        #expect(try bench.refusals(psbt) == [.changeCosignersDiffer])
        let path = try multisig.path(1, 0)
        let key = try bench.wallet.publicKey(path)
        psbt = try psbt.paying(
            TransactionOutput(value: 49_000, scriptPubKey: .p2wpkh(key)), fields: PSBT.Output()
        ) { $0.addDerivation(try bench.wallet.derivation(path)) }
        #expect(try bench.refusals(psbt) == [.changeCosignersDiffer])
    }

    /// A stranger pays a little to a policy of our key and his, and lets everything come back there.
    @Test func anInputOfAStrangersPolicyDoesNotProveItsChange() throws {
        let trap = SamplePolicy("or_d(pk(#A),and_v(v:pkh(#B),older(1)))", [bench.wallet, stranger])
        var mixed = try wallet().psbt(inputs: 1).joined(try trap.psbt(inputs: 2))
        for keys in [wallet(), trap] { try keys.addExtendedKeys(to: &mixed) }
        let plan = try bench.plan(mixed)
        #expect(plan.review.outputs.map(\.isProvenChange) == [false, false])
        #expect(plan.findings.contains { $0.code == .changeNotProven && $0.subject == .output(1) })
    }

    /// The cosigner's key comes from his own extended key, but from where nobody looks for it: an extended key of his
    /// branch stands for that of his account.
    @Test func aCosignersKeyWhereNobodyLooksIsNotProven() throws {
        let account = try DerivationPath(parsing: wallet().account)
        let branch = try others[0].extendedKey(try DerivationPath(parsing: "\(account)/0")).posing(at: account)
        let lost = try branch.descendant(try DerivationPath(parsing: "m/1234567890/987654321")).publicKey
        let place = try DerivationPath(parsing: "\(account)/1/0")
        let (own, last) = (try bench.wallet.publicKey(place), try others[1].publicKey(place))
        let script = try #require(
            try Descriptor(parsing: "wsh(or_d(multi(2,\(own),\(lost)),and_v(v:pkh(\(last)),older(144))))").spending()
                .witnessScript)
        var honest = wallet()
        honest.hasExtendedKeys = false
        for (steps, isRewritten) in [("1234567890/987654321", true), ("0", true), ("1/0", true), ("1/0", false)] {
            var psbt = try honest.psbt(inputs: 2)
            if isRewritten {
                for index in psbt.inputs.indices {
                    let key = try others[0].publicKey(try DerivationPath(parsing: "\(account)/0/\(index)")).bytes
                    psbt[input: index].addDerivation(
                        KeyDerivation(
                            publicKey: key, fingerprint: others[0].fingerprint,
                            path: try DerivationPath(parsing: "\(account)/\(index)")))
                }
            }
            for (holder, key) in [(bench.wallet, nil), (others[0], branch), (others[1], nil)] {
                psbt.addGlobalExtendedKey(
                    try #require(
                        ExtendedKeyDerivation(
                            try key ?? holder.extendedKey(account),
                            origin: KeyOrigin(fingerprint: holder.fingerprint, path: account))))
            }
            psbt = try psbt.paying(
                TransactionOutput(value: 149_000, scriptPubKey: .p2wsh(script)), fields: PSBT.Output()
            ) { fields in
                fields.witnessScript = script
                fields.addDerivation(try bench.wallet.derivation(place))
                fields.addDerivation(try others[1].derivation(place))
                fields.addDerivation(
                    KeyDerivation(
                        publicKey: lost.bytes, fingerprint: others[0].fingerprint,
                        path: try DerivationPath(parsing: "\(account)/\(steps)")))
            }
            let isProven = (try? bench.plan(psbt))?.review.outputs.map(\.isProvenChange) ?? []
            #expect(!isProven.contains(true), "\(steps)")
        }
    }

    /// From one address, every key is always the same: that does not say where wallets find it.
    @Test func aCosignersKeyOfOneAddressIsNotProvenAtAnother() throws {
        var wallet = wallet()
        wallet.hasExtendedKeys = false
        let account = wallet.account
        func key(_ holder: SampleWallet, _ steps: String) throws -> PublicKey {
            try holder.publicKey(try DerivationPath(parsing: "\(account)/\(steps)"))
        }
        let own = try key(bench.wallet, "1/7")
        let (second, third) = (try key(others[0], "0/0"), try key(others[1], "0/0"))
        let script = try #require(
            try Descriptor(parsing: "wsh(or_d(multi(2,\(own),\(second)),and_v(v:pkh(\(third)),older(144))))").spending()
                .witnessScript)
        let place = try DerivationPath(parsing: "\(account)/1/7")
        let psbt = try wallet.psbt().paying(
            TransactionOutput(value: 49_000, scriptPubKey: .p2wsh(script)), fields: PSBT.Output()
        ) { fields in
            fields.witnessScript = script
            for (key, holder) in [(own, bench.wallet), (second, others[0]), (third, others[1])] {
                fields.addDerivation(
                    KeyDerivation(publicKey: key.bytes, fingerprint: holder.fingerprint, path: place))
            }
        }
        #expect((try? bench.plan(psbt))?.review.outputs.map(\.isProvenChange).contains(true) != true)
    }

    /// Whichever of the card's keys comes first in the PSBT, the one counts that wallets look for.
    @Test func aFixedKeyOfOursDoesNotHideAFarAddress() throws {
        let place = try DerivationPath(parsing: "m/48h/1h/0h/2h/1/7")
        let fixed = try bench.wallet.publicKey(place)
        let policy =
            "or_d(multi(2,#A,#B),and_v(v:pkh([\(bench.wallet.fingerprint)/48h/1h/0h/2h/1/7]\(fixed)),older(10)))"
        let wallet = SamplePolicy(policy, [bench.wallet, others[0]])
        #expect(try bench.plan(try wallet.psbt(inputs: 2)).review.outputs.map(\.isProvenChange) == [false, true])
        let far = try wallet.descriptor().spending(branch: 1, index: 1_999_999_999)
        let psbt = try wallet.psbt(inputs: 2).paying(
            TransactionOutput(value: 149_000, scriptPubKey: far.scriptPubKey), fields: PSBT.Output()
        ) { fields in
            fields.witnessScript = far.witnessScript
            for derivation in far.derivations.reversed() { fields.addDerivation(derivation) }
        }
        #expect(try bench.warnings(psbt) == [.changePathUnusual])
    }

    /// A signature costs the card's time: none is asked for that could not count.
    @Test func keysOfClosedSpendingPathsAreNotAskedToSign() throws {
        let recovery = wallet("or_d(multi(2,#A,#B),and_v(v:pkh(#a),older(144)))")
        #expect(try bench.plan(try recovery.psbt(inputs: 3)).signatureCount == 3)
        #expect(try bench.plan(try recovery.psbt(inputs: 3, sequence: 144)).signatureCount == 6)
        // Where no key of the card's is on an open path, it signs what it can.
        let late = wallet("or_d(multi(2,#B,#C),and_v(v:thresh(1,pkh(#A),a:pkh(#a)),older(144)))")
        #expect(try bench.plan(try late.psbt()).signatureCount == 2)
    }

    /// What a spending path that is not open needs does not count.
    @Test func onlySignaturesOfAnOpenPathAreMissing() throws {
        let wallet = wallet()
        let tally = SignatureTally(try wallet.psbt())
        #expect(tally.missing == 2 && tally.canSign.count == 2 && !tally.isComplete)
        let later = SignatureTally(try wallet.psbt(sequence: 144))
        #expect(later.missing == 1 && later.canSign == [others[1].fingerprint])
        // Everybody's part is needed: others' signatures do not count for it.
        let parts = SignatureTally(
            try SamplePolicy("and_v(v:pk(#A),multi(1,#B,#C))", [bench.wallet] + others).psbt())
        #expect(parts.missing == 2)
        #expect(!parts.isCompleted(by: Set(others.map(\.fingerprint))))
        #expect(parts.isCompleted(by: [bench.wallet.fingerprint, others[0].fingerprint]))
        // Nor does a path whose preimage nobody has.
        let secret = [UInt8](repeating: 7, count: 32)
        let hash = PreimageHash.sha256.hash(secret).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        let bought = SamplePolicy(
            "and_v(v:pk(#A),or_d(pk(#B),sha256(\(hash.joined()))))", [bench.wallet, others[0]])
        var psbt = try bought.psbt()
        #expect(SignatureTally(psbt).missing == 2)
        psbt[input: 0].addPreimage(secret, of: .sha256)
        #expect(SignatureTally(psbt).missing == 1)
    }
}

extension ExtendedPublicKey {
    /// The same key and chain code, said to be as deep as an account.
    fileprivate func posing(at account: DerivationPath) throws -> ExtendedPublicKey {
        var bytes = try Base58Check.decode(text)
        bytes[4] = UInt8(account.steps.count)
        let number = try #require(account.steps.last).rawValue
        bytes.replaceSubrange(9..<13, with: (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) })
        return try ExtendedPublicKey(parsing: Base58Check.encode(bytes))
    }
}

extension PSBT {
    /// The same transaction with another second output.
    fileprivate func paying(
        _ output: TransactionOutput, fields: PSBT.Output, _ describe: (inout PSBT.Output) throws -> Void
    ) throws -> PSBT {
        var transaction = unsignedTransaction
        transaction.outputs[1] = output
        var psbt = try PSBT(unsignedTransaction: transaction)
        psbt.setInputs(inputs)
        for key in globalExtendedKeys { psbt.addGlobalExtendedKey(key) }
        psbt[output: 1] = fields
        try describe(&psbt[output: 1])
        return psbt
    }
}

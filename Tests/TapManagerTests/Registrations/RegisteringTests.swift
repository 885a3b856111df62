import Bitcoin
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// A wallet that a card registers, and what that is worth afterwards: whoever alters the stored wallet gains nothing.
@Suite struct RegisteringTests {
    private let bench: FlowBench
    private let others: [SampleWallet]

    init() async throws {
        var generator = SeededGenerator()
        bench = try await FlowBench.ready(using: &generator)
        others = try FlowBench.others.map { try SampleWallet(seed: $0) }
    }

    private func policy(_ expression: String = "or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(52560)))") throws
        -> SamplePolicy
    {
        try bench.policy(expression)
    }

    private func added(_ policy: SamplePolicy, by person: ScriptedInteraction) async throws -> OpenedWallet {
        let text = try #require(policy.descriptor().text)
        return try await bench.manager(person).addWallet(named: "family", of: .parsing([text]), network: .test).wallet
    }

    private func person() -> ScriptedInteraction { ScriptedInteraction(cvc: FlowBench.cvc) }

    /// Replaces the stored descriptors, and leaves everything else as it is.
    private func alter(_ policy: SamplePolicy) throws {
        let stored = try #require(bench.store.wallets().first)
        let text = try #require(DescriptorText(try policy.descriptor()))
        bench.store.save(
            StoredWallet(
                name: stored.name, network: stored.network, descriptors: [text], created: stored.created,
                registrations: stored.registrations))
    }

    @Test func itIsShownConfirmedAndSigned() async throws {
        let (person, policy, own) = (person(), try policy(), bench.record.path)
        let opened = try await added(policy, by: person)
        let cosigner = try policy.holders[1].extendedKey(DerivationPath(parsing: policy.account))
        bench.store.save([StoredLabel(type: "xpub", reference: cosigner.text, label: "Ben")])
        let registered = try await bench.manager(person).register(opened)
        #expect(person.words == ["registerWallet", "cvc"])
        guard case .otherQuestion(.registerWallet(let asked))? = person.entries.first else {
            Issue.record("\(person.words)")
            return
        }
        #expect(asked.name == "family")
        #expect(asked.spendingPaths.flatMap { $0.terms.groups.flatMap(\.keys) }.compactMap(\.label).first == "Ben")
        #expect(try asked.firstAddress == opened.wallet.address(at: asked.wallet.branches[0].place(0)))
        #expect(asked.wallet.shownKeys.map(\.origin?.fingerprint) == policy.holders.map(\.fingerprint))
        let stored = try #require(bench.store.wallets().first?.registrations.first)
        #expect(stored == registered.stored && stored.account.path.description == policy.account)
        let key = try bench.wallet().extendedKey(stored.account.path).publicKey
        #expect(stored.isSignature(of: RegisteredContent(opened.wallet), by: key))
        #expect(try RegistrationText(parsing: registered.text.text) == registered.text)
        // The card is where it was, and nothing is left to do.
        #expect(bench.record.path == own && bench.store.flows().isEmpty)
        // Once more replaces it, with another salt.
        let again = try await bench.manager(person).register(opened)
        #expect(again.stored.bytes != stored.bytes)
        #expect(bench.store.wallets().first?.registrations == [again.stored])
    }

    /// A wallet with the same scripts, added before, whose cosigner is called otherwise: what the card registered counts.
    @Test func aRegisteredWalletSaysWhoseKeysTheyAre() async throws {
        let (person, policy) = (person(), try policy())
        let opened = try await added(policy, by: person)
        var renamed = policy
        renamed.holders[1] = SampleWallet(
            master: policy.holders[1].master, posingAs: try SampleWallet(seed: 99).fingerprint)
        let text = try #require(DescriptorText(renamed.descriptor()))
        bench.store.save(
            StoredWallet(
                name: "a", network: .test, descriptors: [text],
                created: UnixTime(seconds: opened.stored.created.seconds - 1)))
        func names(_ policy: SamplePolicy) -> Set<String> { Set(policy.holders.map(\.fingerprint.description)) }
        func shown() throws -> Set<String> {
            let review = try #require(bench.manager(person).review(of: policy.psbt(), network: .test).review)
            let keys = review.policies.flatMap(\.paths).flatMap(\.terms.groups).flatMap(\.keys)
            return Set(keys.map(\.text))
        }
        #expect(try shown() == names(renamed))
        _ = try await bench.manager(person).register(opened)
        #expect(try shown() == names(policy))
    }

    /// Of two cards' registrations, the one that fails is named.
    @Test func anAlteredWalletNamesTheRegistrationThatFails() async throws {
        let (person, policy) = (person(), try policy())
        let opened = try await added(policy, by: person)
        let registered = try await bench.manager(person).register(opened)
        var stored = try #require(bench.store.wallets().first)
        #expect(stored.alteration == nil)
        let other = policy.holders[1].fingerprint
        let account = KeyOrigin(fingerprint: other, path: registered.stored.account.path)
        stored.registrations.append(
            StoredRegistration(account: account, bytes: registered.stored.bytes, created: stored.created))
        #expect(stored.alteration == .altered(wallet: "family", other))
    }

    @Test func aNoSignsNothing() async throws {
        let person = ScriptedInteraction(decide: { _ in throw ScriptedInteraction.Declined() }) { _ in FlowBench.cvc }
        let opened = try await added(policy(), by: person)
        bench.reader.resetCounts()
        await #expect(throws: ScriptedInteraction.Declined.self) { try await bench.manager(person).register(opened) }
        #expect(bench.asked.isSubset(of: FlowBench.finding) && bench.store.wallets().first?.registrations == [])
    }

    /// A wallet without the card's key, or with another key under its name.
    @Test func onlyTheCardsOwnWallets() async throws {
        let person = person()
        let strangers = try await added(SamplePolicy("multi(2,#B,#A)", others), by: person)
        let error = await #expect(throws: AddressProofError.self) {
            try await bench.manager(person).register(strangers)
        }
        #expect(error?.code == .otherWallet)
        _ = try bench.store.deleteWallet(named: "family")
        let posing = SampleWallet(master: others[0].master, posingAs: try bench.wallet().fingerprint)
        let falseClaim = try await added(SamplePolicy("multi(2,#A,#B)", [posing, others[1]]), by: person)
        await #expect(throws: AddressProofError.falseKey(try DerivationPath(parsing: "m/48h/1h/0h/2h"))) {
            try await bench.manager(person).register(falseClaim)
        }
        #expect(bench.store.wallets().first?.registrations == [] && bench.store.flows().isEmpty)
    }

    /// A single key of the card's beside its account, which a PSBT may name first, and one that only says so.
    @Test func singleKeysAreExamined() async throws {
        let (person, wallet) = (person(), try bench.wallet())
        let account = try DerivationPath(parsing: "m/48h/1h/0h/2h")
        let key = try wallet.extendedKey(account).descendant(DerivationPath(parsing: "m/1/7")).publicKey
        let single = { (index: Int) in "pkh([\(wallet.fingerprint)/48h/1h/0h/2h/1/\(index)]\(Script(key.bytes)))" }
        let opened = try await added(policy("and_v(v:multi(2,#A,#B),\(single(8)))"), by: person)
        await #expect(throws: AddressProofError.falseKey(try DerivationPath(parsing: "m/48h/1h/0h/2h/1/8"))) {
            try await bench.manager(person).register(opened)
        }
        #expect(bench.store.wallets().first?.registrations == [])
        _ = try bench.store.deleteWallet(named: "family")
        for expression in ["and_v(v:multi(2,#A,#B),\(single(7)))", "and_v(v:\(single(7)),multi(2,#A,#B))"] {
            let policy = try policy(expression)
            _ = try await bench.manager(person).register(try await added(policy, by: person))
            let signed = try await bench.manager(person).sign(try policy.psbt(), network: .test)
            #expect(signed.review.outputs.map(\.isProvenChange) == [false, true])
            _ = try bench.store.deleteWallet(named: "family")
        }
    }

    /// What the card signed with an account's own key, as a single key, nobody would find: an extended key of the card's
    /// signs, or none does.
    @Test func singleKeysSignNoRegistration() async throws {
        let (person, wallet) = (person(), try bench.wallet())
        let manager = try bench.manager(person)
        func single(_ path: String) throws -> String {
            let path = try DerivationPath(parsing: path)
            let key = try wallet.extendedKey(path).publicKey
            return "\(KeyOrigin(fingerprint: wallet.fingerprint, path: path))\(Script(key.bytes))"
        }
        var number = 10
        for key in [try single("m/48h/1h/0h/2h"), try single("m/48h/1h/7h/2h")] {
            for expression in [
                "or_d(pk(\(key)),multi(2,#A,#B))", "or_d(multi(2,#A,#B),and_v(v:pkh(\(key)),older(144)))",
            ] {
                let policy = try policy(expression)
                let registered = try await manager.register(try await added(policy, by: person))
                #expect(registered.stored.account.path.description == policy.account)
                try registered.text.requireSigned()
                #expect(try manager.wallet(named: "family").stored.registrations == [registered.stored])
                // Nor is the card kept from signing for another wallet.
                var elsewhere = try self.policy()
                elsewhere.account = "m/48h/1h/\(number)h/2h"
                number += 1
                #expect(try await manager.sign(try elsewhere.psbt(), network: .test).result.added == 1)
                _ = try bench.store.deleteWallet(named: "family")
            }
        }
        let (shared, own) = (try single("m/48h/1h/0h/2h"), try single("m/84h/1h/0h"))
        let multisig = try policy("multi(2,\(shared),#B)").descriptor()
        for text in [try #require(multisig.text), "wpkh(\(own))"] {
            let opened = try await manager.addWallet(named: "family", of: .parsing([text]), network: .test).wallet
            await #expect(throws: AddressProofError.noExtendedKey(bench.ident, wallet.fingerprint, wallet: "family")) {
                try await manager.register(opened)
            }
            #expect(bench.store.wallets().first?.registrations == [] && bench.store.flows().isEmpty)
            _ = try bench.store.deleteWallet(named: "family")
        }
    }

    /// The PSBT shows nothing of the others' extended keys; the registration does.
    @Test(arguments: [
        "or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(52560)))", "thresh(2,pk(#A),s:pk(#B),s:pk(#C),sln:older(144))",
        "multi(2,#B,#A)", "or_d(multi(2,#A,#B),and_v(v:pkh(#a),older(144)))",
    ])
    func changeIsProven(_ expression: String) async throws {
        let (person, policy) = (person(), try policy(expression))
        let opened = try await added(policy, by: person)
        let manager = try bench.manager(person)
        _ = try await manager.register(opened)
        let after = try await manager.sign(try policy.psbt(inputs: 3), network: .test)
        #expect(after.review.outputs.map(\.isProvenChange) == [false, true] && after.result.added == 3)
        #expect(after.findings.filter { $0.code == .changeNotProven } == [])
        // What goes to another wallet of the same people is not this one's change.
        var thieves = policy
        thieves.holders[1] = try SampleWallet(seed: 9)
        let report = try? await manager.sign(try policy.psbt(inputs: 2, change: thieves), network: .test)
        #expect(report?.review.outputs[1].isProvenChange != true)
    }

    /// Each alteration of the stored wallet, and of the registration.
    @Test(arguments: [
        "or_d(multi(2,#A,#C),and_v(v:pkh(#B),older(52560)))", "or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(52559)))",
        "or_d(multi(1,#A,#B),and_v(v:pkh(#C),older(52560)))", "multi(2,#A,#B)",
    ])
    func anAlteredWalletIsRefused(_ expression: String) async throws {
        let (person, policy) = (person(), try policy())
        let opened = try await added(policy, by: person)
        let manager = try bench.manager(person)
        _ = try await manager.register(opened)
        try alter(self.policy(expression))
        let own = try bench.wallet().fingerprint
        // Whatever the transaction is, if it uses the account: the wallet's, and the altered one's.
        for psbt in [try policy.psbt(), try self.policy(expression).psbt(), try self.policy("multi(2,#A,#C)").psbt()] {
            let error = await #expect(throws: FlowError.self) { try await manager.sign(psbt, network: .test) }
            #expect(error == .alteredWallet("family", by: own) && error?.code == .alteredWallet)
        }
        #expect(bench.store.flows().isEmpty)
        // Nor anything else by this card: the alteration may be of the account itself.
        var elsewhere = policy
        elsewhere.account = "m/48h/1h/1h/2h"
        let psbt = try elsewhere.psbt()
        await #expect(throws: FlowError.alteredWallet("family", by: own)) {
            try await manager.sign(psbt, network: .test)
        }
        // Without the wallet it signs again.
        _ = try bench.store.deleteWallet(named: "family")
        #expect(try await manager.sign(psbt, network: .test).result.added == 1)
    }

    /// The registration is moved to where the card's key at hand cannot tell, or the wallet to another network.
    @Test func aRegistrationThatIsPutAsideIsRefused() async throws {
        let (person, policy) = (person(), try policy())
        let manager = try bench.manager(person)
        let registered = try await manager.register(try await added(policy, by: person)).stored
        let genuine = try #require(bench.store.wallets().first)
        let own = try bench.wallet().fingerprint
        for (fingerprint, path) in [(own, "m/48h/1h/0h/1h"), (others[0].fingerprint, policy.account), (.zero, "m")] {
            var stored = genuine
            stored.registrations = [
                StoredRegistration(
                    account: KeyOrigin(fingerprint: fingerprint, path: try DerivationPath(parsing: path)),
                    bytes: registered.bytes, created: UnixTime(seconds: 1))
            ]
            bench.store.save(stored)
            await #expect(throws: FlowError.alteredWallet("family", by: own)) {
                try await manager.sign(try policy.psbt(), network: .test)
            }
        }
        bench.store.save(
            StoredWallet(
                name: genuine.name, network: .main, descriptors: genuine.descriptors, created: genuine.created,
                registrations: genuine.registrations))
        #expect(throws: RegistrationError.altered(wallet: "family", own)) { try manager.wallet(named: "family") }
        await #expect(throws: FlowError.alteredWallet("family", by: own)) {
            try await manager.sign(try policy.psbt(), network: .test)
        }
    }

    /// A PSBT that names the others' keys for inputs only, or for outputs only, and first the key that is on the branch of
    /// a later path.
    @Test(
        arguments: [
            "or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(52560)))", "multi(2,#A,#B)",
            "or_d(multi(2,#A,#B),and_v(v:multi(1,#a,#b),older(52560)))",
        ], [true, false])
    func changeIsProvenWhomeverThePSBTNames(_ expression: String, _ namesInputs: Bool) async throws {
        let (person, policy) = (person(), try policy(expression))
        let manager = try bench.manager(person)
        _ = try await manager.register(try await added(policy, by: person))
        let own = try bench.wallet().fingerprint
        let whole = try policy.psbt(inputs: 2)
        var psbt = try PSBT(unsignedTransaction: whole.unsignedTransaction)
        for (index, input) in whole.inputs.enumerated() {
            psbt[input: index].nonWitnessUTXO = input.nonWitnessUTXO
            psbt[input: index].witnessUTXO = input.witnessUTXO
            psbt[input: index].witnessScript = input.witnessScript
            for derivation in Self.lastBranchFirst(input.derivations)
            where namesInputs || derivation.fingerprint == own {
                psbt[input: index].addDerivation(derivation)
            }
        }
        psbt[output: 1].witnessScript = whole.outputs[1].witnessScript
        for derivation in Self.lastBranchFirst(whole.outputs[1].derivations)
        where !namesInputs || derivation.fingerprint == own {
            psbt[output: 1].addDerivation(derivation)
        }
        let report = try await manager.sign(psbt, network: .test)
        #expect(report.review.outputs.map(\.isProvenChange) == [false, true])
        #expect(!report.findings.contains { [.changePathUnusual, .walletChangeNotProven].contains($0.code) })
    }

    private static func lastBranchFirst(_ derivations: [KeyDerivation]) -> [KeyDerivation] {
        derivations.sorted { ($0.path.steps.suffix(2).first?.index ?? 0) > ($1.path.steps.suffix(2).first?.index ?? 0) }
    }

    @Test func aTornRegistrationIsRefused() async throws {
        let (person, policy) = (person(), try policy())
        let manager = try bench.manager(person)
        let registered = try await manager.register(try await added(policy, by: person))
        var stored = try #require(bench.store.wallets().first)
        for bytes in [[], Array(registered.stored.bytes.dropLast()), registered.stored.bytes.reversed()] {
            stored.registrations = [
                StoredRegistration(account: registered.stored.account, bytes: bytes, created: UnixTime(seconds: 1))
            ]
            bench.store.save(stored)
            let error = await #expect(throws: FlowError.self) {
                try await manager.sign(try policy.psbt(), network: .test)
            }
            #expect(error?.code == .alteredWallet)
        }
    }

    @Test func addressesAreVerifiedByIt() async throws {
        let (person, policy) = (person(), try policy())
        let manager = try bench.manager(person)
        let opened = try await added(policy, by: person)
        _ = try await bench.run { driver in
            try await AccountFlow(driver: driver, cvc: CVC(FlowBench.cvc)).derive(
                DerivationPath(parsing: policy.account))
        }
        let address = try await manager.receivingAddress(of: opened)
        #expect(try await manager.prove(address, of: opened, known: nil).isRegistered == false)
        _ = try await manager.register(opened)
        let registered = try manager.wallet(named: "family")
        #expect(try await manager.prove(address, of: registered, known: nil).isRegistered)
        try alter(self.policy("or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(1)))"))
        // The wallet's own key shows it already.
        let own = try bench.wallet().fingerprint
        #expect(throws: RegistrationError.altered(wallet: "family", own)) { try manager.wallet(named: "family") }
    }

    /// Another card proves its key only after the wallet was added, and it is another one.
    @Test func aKeyThatIsLaterFoundFalseIsNotVerified() async throws {
        let (person, policy) = (person(), try policy())
        let manager = try bench.manager(person)
        let opened = try await added(policy, by: person)
        let path = try DerivationPath(parsing: policy.account)
        _ = try await bench.run { driver in
            try await AccountFlow(driver: driver, cvc: CVC(FlowBench.cvc)).derive(path)
        }
        let address = try await manager.receivingAddress(of: opened)
        _ = try await manager.prove(address, of: opened, known: nil)
        let other = policy.holders[1]
        let card = try CardRecord(
            publicKey: other.publicKey(DerivationPath()), product: .tapsigner, isTestnet: true,
            fingerprint: other.fingerprint, lastSeen: UnixTime(seconds: 1))
        bench.store.save(card)
        bench.store.save(
            ProvenAccount(
                cardKey: card.publicKey, path: path, key: try SampleWallet(seed: 99).extendedKey(path),
                proven: UnixTime(seconds: 1)))
        let origin = KeyOrigin(fingerprint: other.fingerprint, path: path)
        await #expect(throws: WalletError.falseKey(origin, card.ident, in: "family")) {
            _ = try await manager.prove(address, of: opened, known: nil)
        }
        await #expect(throws: WalletError.falseKey(origin, card.ident, in: "family")) {
            _ = try await manager.receivingAddress(of: opened)
        }
    }

    /// Somebody puts another key in the card's place, and registers the wallet with that.
    @Test func aForgedRegistrationFailsWithTheCard() async throws {
        let (person, genuine) = (person(), try policy())
        let manager = try bench.manager(person)
        let own = try bench.wallet().fingerprint
        _ = try await manager.register(try await added(genuine, by: person))
        var forged = genuine
        forged.holders[0] = SampleWallet(master: try SampleWallet(seed: 9).master, posingAs: own)
        let account = try DerivationPath(parsing: genuine.account)
        let text = try #require(DescriptorText(try forged.descriptor()))
        var stored = StoredWallet(name: "family", network: .test, descriptors: [text], created: UnixTime(seconds: 1))
        let salt = [UInt8](repeating: 1, count: WalletRegistration.saltLength)
        let digest = RegisteredContent(try WatchWallet(stored)).digest(salt: salt)
        let signature = try SampleWallet(seed: 9).master.descendant(account).privateKey.signGrindingLowR(digest: digest)
        stored.registrations = [
            StoredRegistration(
                account: KeyOrigin(fingerprint: own, path: account),
                bytes: WalletRegistration(salt: salt, signature: signature).bytes, created: UnixTime(seconds: 1))
        ]
        bench.store.save(stored)
        let opened = try manager.wallet(named: "family")
        _ = try await bench.run { driver in
            try await AccountFlow(driver: driver, cvc: CVC(FlowBench.cvc)).derive(account)
        }
        // The store knows better already; a thief would have removed that, too.
        await #expect(throws: WalletError.self) { try await manager.receivingAddress(of: opened) }
        let place = try #require(opened.wallet.receivingBranch).place(0)
        let address = ReceivingAddress(
            place: place, address: try opened.wallet.address(at: place), path: nil, remarks: [])
        await #expect(throws: RegistrationError.altered(wallet: "family", own)) {
            try await manager.prove(address, of: opened, known: nil)
        }
        await #expect(throws: FlowError.alteredWallet("family", by: own)) {
            try await manager.sign(try genuine.psbt(), network: .test)
        }
    }

    /// A registration that was kept elsewhere brings the wallet back, as it was.
    @Test func itIsAddedElsewhere() async throws {
        let (person, policy) = (person(), try policy())
        let registered = try await bench.manager(person).register(try await added(policy, by: person))
        _ = try bench.store.deleteWallet(named: "family")
        let manager = try bench.manager(person)
        let added = try await manager.addWallet(registeredAs: registered.text, network: .test)
        #expect(added.wallet.stored.registrations.map(\.bytes) == [registered.stored.bytes])
        #expect(added.wallet.stored.registrations.map(\.account) == [registered.stored.account])
        #expect(try await manager.sign(try policy.psbt(), network: .test).review.outputs[1].isProvenChange)
        _ = try bench.store.deleteWallet(named: "family")
        let other = try self.policy("or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(1)))").descriptor()
        let forged = RegistrationText(
            RegisteredContent(
                try WatchWallet(
                    StoredWallet(
                        name: "family", network: .test, descriptors: [try #require(DescriptorText(other))],
                        created: UnixTime(seconds: 1)))), try #require(WalletRegistration(registered.stored.bytes)),
            by: .tapsigner)
        await #expect(throws: RegistrationError.altered(wallet: "family", nil)) {
            try await manager.addWallet(registeredAs: forged, network: .test)
        }
        #expect(bench.store.wallets().isEmpty)
        // By somebody else's key under the card's fingerprint, which the store knows better.
        let impostor = SampleWallet(master: try SampleWallet(seed: 9).master, posingAs: try bench.wallet().fingerprint)
        let wallet = try WatchWallet(
            StoredWallet(
                name: "family", network: .test,
                descriptors: [
                    try #require(
                        DescriptorText(try SamplePolicy(policy.expression, [impostor] + others).descriptor()))
                ], created: UnixTime(seconds: 1)))
        let salt = [UInt8](repeating: 1, count: WalletRegistration.saltLength)
        let key = try SampleWallet(seed: 9).master.descendant(DerivationPath(parsing: policy.account)).privateKey
        let content = RegisteredContent(wallet)
        let copied = RegistrationText(
            content,
            WalletRegistration(salt: salt, signature: key.signGrindingLowR(digest: content.digest(salt: salt))),
            by: .tapsigner)
        await #expect(throws: RegistrationError.altered(wallet: "family", try bench.wallet().fingerprint)) {
            try await manager.addWallet(registeredAs: copied, network: .test)
        }
    }

    /// The card is taken away at each exchange; the next run registers the wallet, and the card is where it was.
    @Test func pulledAtEveryExchange() async throws {
        let path = try DerivationPath(parsing: "m/48h/1h/0h/2h")
        let text = try #require(DescriptorText(try policy().descriptor()))
        let content = RegisteredContent(
            try WatchWallet(
                StoredWallet(name: "family", network: .test, descriptors: [text], created: UnixTime(seconds: 1))))
        let key = try bench.wallet().extendedKey(path).publicKey
        func register(_ bench: FlowBench) async throws {
            let registration = try await bench.run { driver in
                let flow = PathVisitFlow(driver: driver, cvc: try CVC(FlowBench.cvc))
                let account = try #require(try await flow.keys(at: [path]).accounts[path])
                return try await flow.register(content, at: path, by: account)
            }
            #expect(registration.isSignature(of: content, by: key))
        }
        let undisturbed = try bench.copy()
        try await register(undisturbed)
        let count = undisturbed.exchangeCount
        #expect(count > 10)
        for number in 1...count {
            for moment in SinglePull.Moment.allCases {
                let copy = try bench.copy()
                copy.watch.disturbance = SinglePull(atExchange: number, moment, returning: .byHand)
                _ = try? await register(copy)
                copy.watch.disturbance = nil
                copy.reader.insert()
                try await register(copy)
                #expect(copy.record.path?.description == "m/84h/1h/0h", "exchange \(number), \(moment)")
                #expect(copy.store.flows().isEmpty, "exchange \(number), \(moment)")
            }
        }
    }
}

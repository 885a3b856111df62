import Bitcoin
import FlowSupport
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// A registered wallet whose stored text somebody alters: no card is needed to find that out, and nothing is called proven by it.
@Suite struct AlteredWalletTests {
    private let bench: FlowBench
    private let policy: SamplePolicy
    private let manager: CardManager

    init() async throws {
        var generator = SeededGenerator()
        bench = try await FlowBench.ready(using: &generator)
        var policy = SamplePolicy(
            "or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(52560)))",
            [try bench.wallet()] + (try [2, 3].map { try SampleWallet(seed: $0) }))
        policy.hasExtendedKeys = false
        self.policy = policy
        manager = try bench.manager(ScriptedInteraction(cvc: FlowBench.cvc))
        let text = try #require(policy.descriptor().text)
        let opened = try await manager.addWallet(named: "family", of: .parsing([text]), network: .test).wallet
        _ = try await manager.register(opened)
    }

    private var altered: RegistrationError {
        get throws { .altered(wallet: "family", try bench.wallet().fingerprint) }
    }

    /// Replaces the stored text, and leaves everything else as it is.
    private func alter(_ text: String) throws {
        let stored = try #require(bench.store.wallets().first)
        bench.store.save(
            StoredWallet(
                name: stored.name, network: stored.network, descriptors: [DescriptorText(stored: text)],
                created: stored.created, registrations: stored.registrations))
    }

    /// Also where the text is no descriptor any more. A letter that means the same is the same wallet.
    @Test func everyBitIsAFailedProof() throws {
        let genuine = try #require(bench.store.wallets().first?.descriptors.first?.description)
        let meaning = try Descriptor(parsing: genuine).text
        var (failed, same) = (0, 0)
        for number in 0..<genuine.utf8.count * 8 {
            var bytes = Array(genuine.utf8)
            bytes[number / 8] ^= 1 << UInt8(number % 8)
            let text = String(decoding: bytes, as: UTF8.self)
            guard (try? Descriptor(parsing: text))?.text != meaning else {
                same += 1
                continue
            }
            failed += 1
            try alter(text)
            #expect(throws: try altered) { try manager.wallet(named: "family") }
        }
        #expect(failed > 3_000 && same < 24, "\(failed) \(same)")
    }

    /// The card signed the name, too.
    @Test func everyBitOfTheNameIsAFailedProof() throws {
        let genuine = try #require(bench.store.wallets().first)
        var failed = 0
        for number in 0..<genuine.name.utf8.count * 8 {
            var bytes = Array(genuine.name.utf8)
            bytes[number / 8] ^= 1 << UInt8(number % 8)
            guard let name = String(validating: bytes, as: UTF8.self), (try? WalletName(parsing: name)) != nil else {
                continue
            }
            failed += 1
            bench.store.save(
                StoredWallet(
                    name: name, network: genuine.network, descriptors: genuine.descriptors, created: genuine.created,
                    registrations: genuine.registrations))
            #expect(throws: RegistrationError.altered(wallet: name, try bench.wallet().fingerprint)) {
                try manager.wallet(named: name)
            }
        }
        #expect(failed > 20, "\(failed)")
    }

    /// A backup refuses what its card would.
    @Test func aBackupSignsNothingOfIt() async throws {
        let signer = BackupSigner(try await bench.backup())
        func prepare() throws -> SigningPlan {
            try signer.prepare(policy.psbt(), network: nil, policy: SigningPolicy(), store: bench.store)
        }
        let honest = try prepare()
        #expect(!honest.stages.isEmpty)
        let genuine = try #require(bench.store.wallets().first?.descriptors.first?.description)
        try alter(String(genuine.prefix { $0 != "#" }).replacing("older(52560)", with: "older(1)"))
        #expect(throws: FlowError.alteredWallet("family", by: try bench.wallet().fingerprint)) { try prepare() }
    }

    /// Another network than its keys are for; asked for another one, an honest wallet is only on the wrong network.
    @Test(arguments: [nil, Network.test, .main]) func anotherNetworkIsAFailedProof(_ asked: Network?) throws {
        #expect(throws: WalletError.wrongNetwork("family", .test, asked: .main)) {
            try manager.wallet(named: "family", on: .main)
        }
        let stored = try #require(bench.store.wallets().first)
        bench.store.save(
            StoredWallet(
                name: stored.name, network: .main, descriptors: stored.descriptors, created: stored.created,
                registrations: stored.registrations))
        #expect(throws: try altered) { try manager.wallet(named: "family", on: asked) }
    }

    /// A wallet that this program cannot read can be removed, whether it was registered or not.
    @Test(arguments: [true, false]) func whatCannotBeReadIsRemoved(_ isRegistered: Bool) async throws {
        try alter("wsh(or_f(pk(A),pk(B)))")
        if !isRegistered {
            var stored = try #require(bench.store.wallets().first)
            stored.registrations = []
            bench.store.save(stored)
        }
        if isRegistered {
            // The network can be what was altered: whichever is asked for, it can be removed.
            #expect(throws: try altered) { try manager.walletToLook(named: "family") }
            #expect(try manager.walletToRemove(named: "family", on: .main).name == "family")
        } else {
            #expect(throws: WalletError.self) { try manager.walletToLook(named: "family") }
            #expect(throws: WalletError.wrongNetwork("family", .test, asked: .main)) {
                try manager.walletToRemove(named: "family", on: .main)
            }
        }
        try await manager.remove(manager.walletToRemove(named: "family"))
        #expect(bench.store.wallets().isEmpty)
    }

    /// Its change is no longer proven by the store, with or without a stored transaction.
    @Test func nothingIsProvenByIt() async throws {
        let psbt = try policy.psbt()
        let honest = try #require(manager.review(of: psbt, network: .test).review)
        #expect(honest.evidence == .wallet("family") && honest.outputs.map(\.isProvenChange) == [false, true])
        var thiefs = policy
        thiefs.holders[2] = try SampleWallet(seed: 66)
        try alter(try #require(thiefs.descriptor().text))
        let trap = try thiefs.psbt()
        let seen = try #require(manager.review(of: trap, network: .test).review)
        // The card's own key is known; the others' are not.
        #expect(seen.evidence == .keys && seen.outputs.map(\.isProvenChange) == [false, false])
        let imported = try manager.importTransaction(trap, network: .test).transaction
        #expect(imported.wallet == nil)
        _ = try bench.store.updateTransaction(imported.id) { _ in
            var marked = imported
            marked.wallet = "family"
            return marked
        }
        #expect(try manager.transactionListings().listings.first?.payees.count == 2)
        let stored = try #require(manager.review(of: trap, network: .test).review)
        #expect(stored.evidence == .keys && stored.outputs.map(\.isProvenChange) == [false, false])
    }
}

import Bitcoin
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// A registration that was kept elsewhere, and a thief who alters the stored wallet and removes its registration.
@Suite struct KeptRegistrationTests {
    private let bench: FlowBench
    private let others: [SampleWallet]
    private let person = ScriptedInteraction(cvc: FlowBench.cvc)

    private static let altered = "or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(1)))"

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

    private func stored(_ policy: SamplePolicy, as name: String = "family") throws -> StoredWallet {
        StoredWallet(
            name: name, network: .test, descriptors: [try #require(DescriptorText(try policy.descriptor()))],
            created: UnixTime(seconds: 1))
    }

    /// What the card signed about a wallet. The store remembers nothing of it.
    private func registered(_ policy: SamplePolicy, as name: String = "family") async throws -> RegistrationText {
        let manager = try bench.manager(person)
        bench.store.save(try stored(policy, as: name))
        let text = try await manager.register(try manager.wallet(named: name)).text
        _ = try bench.store.deleteWallet(named: name)
        return text
    }

    /// What another key of the wallet signed about it.
    private func registered(_ policy: SamplePolicy, by holder: SampleWallet) throws -> RegistrationText {
        let content = RegisteredContent(try WatchWallet(try stored(policy)))
        let salt = [UInt8](repeating: 1, count: WalletRegistration.saltLength)
        let key = try holder.master.descendant(try DerivationPath(parsing: policy.account)).privateKey
        let signature = key.signGrindingLowR(digest: content.digest(salt: salt))
        return RegistrationText(content, WalletRegistration(salt: salt, signature: signature), by: .tapsigner)
    }

    private func signing(_ registrations: RegistrationText...) -> SigningPolicy {
        var policy = SigningPolicy()
        policy.registrations = registrations
        policy.requiresRegistration = true
        return policy
    }

    @Test func onlyTheRegisteredWalletIsSignedFor() async throws {
        let genuine = try policy()
        let registration = try await registered(genuine)
        let own = try bench.wallet().fingerprint
        let manager = try bench.manager(person)
        let signed = try await manager.sign(
            try genuine.psbt(inputs: 2), network: .test, policy: signing(registration))
        #expect(signed.result.added == 2 && signed.review.outputs.map(\.isProvenChange) == [false, true])
        // Coins of the altered wallet, of another account, and of another wallet of the same people.
        bench.store.save(try stored(policy(Self.altered)))
        var elsewhere = genuine
        elsewhere.account = "m/48h/1h/1h/2h"
        for psbt in [try policy(Self.altered).psbt(), try elsewhere.psbt(), try policy("multi(2,#A,#B)").psbt()] {
            await #expect(throws: FlowError.otherWalletsCoin(registered: ["family"], by: own)) {
                try await manager.sign(psbt, network: .test, policy: signing(registration))
            }
            #expect(bench.store.flows().isEmpty)
        }
    }

    @Test func anotherSignersRegistrationIsRefused() async throws {
        let genuine = try policy()
        let manager = try bench.manager(person)
        let own = try bench.wallet().fingerprint
        let foreign = try registered(genuine, by: others[0])
        await #expect(throws: FlowError.noRegistration(by: own)) {
            try await manager.sign(try genuine.psbt(), network: .test, policy: signing(foreign))
        }
        // By another key under the card's fingerprint.
        let impostor = SampleWallet(master: try SampleWallet(seed: 9).master, posingAs: own)
        var forged = genuine
        forged.holders[0] = impostor
        let claimed = try registered(forged, by: impostor)
        await #expect(throws: FlowError.alteredWallet("family", by: own)) {
            try await manager.sign(try genuine.psbt(), network: .test, policy: signing(claimed))
        }
        // One of several is enough; without any, nothing is asked for.
        let kept = try await registered(genuine)
        #expect(
            try await manager.sign(try genuine.psbt(), network: .test, policy: signing(foreign, kept)).result.added == 1
        )
        #expect(try await manager.sign(try genuine.psbt(inputs: 2), network: .test).result.added == 2)
    }

    @Test func addressesAreThoseOfTheRegisteredWallet() async throws {
        let genuine = try policy()
        let registration = try await registered(genuine)
        let manager = try bench.manager(person)
        let account = try DerivationPath(parsing: genuine.account)
        _ = try await bench.run { driver in
            try await AccountFlow(driver: driver, cvc: CVC(FlowBench.cvc)).derive(account)
        }
        func prove(_ stored: StoredWallet, by registrations: RegistrationText...) async throws -> AddressProof {
            bench.store.save(stored)
            defer { _ = try? bench.store.deleteWallet(named: stored.name) }
            let opened = try manager.wallet(named: stored.name)
            let address = try await manager.receivingAddress(of: opened)
            return try await manager.prove(address, of: opened, registeredAs: registrations, known: nil)
        }
        #expect(try await prove(try stored(genuine), by: registration).isRegistered)
        #expect(try await !prove(try stored(genuine)).isRegistered)
        let refused = RegistrationError.otherWallet(registered: "family", stored: "family")
        #expect(refused.code == .alteredWallet)
        await #expect(throws: refused) { try await prove(try stored(policy(Self.altered)), by: registration) }
        await #expect(throws: RegistrationError.otherWallet(registered: "family", stored: "other")) {
            try await prove(try stored(genuine, as: "other"), by: registration)
        }
        let foreign = try registered(genuine, by: others[0])
        await #expect(throws: RegistrationError.notEveryCards(wallet: "family")) {
            try await prove(try stored(genuine), by: foreign)
        }
        #expect(try await prove(try stored(genuine), by: foreign, registration).isRegistered)
    }

    /// What has all its signatures is confirmed by the card; what is finalized cannot be.
    @Test func aCompleteTransactionIsConfirmed() async throws {
        let single = try policy("or_d(pk(#A),and_v(v:pkh(#B),older(1000)))")
        let registration = try await registered(single)
        let manager = try bench.manager(person)
        let psbt = try single.psbt()
        // Without the registration it is somebody's word whose coins these are.
        let first = try await manager.sign(psbt, network: .test)
        #expect(first.result.added == 1 && first.result.psbt.isFinalized)
        #expect(try await manager.sign(psbt, network: .test, policy: signing(registration)).result.added == 0)
        let other = try policy("or_d(pk(#A),and_v(v:pkh(#B),older(1)))").psbt()
        _ = try await manager.sign(other, network: .test)
        await #expect(
            throws: FlowError.otherWalletsCoin(registered: ["family"], by: try bench.wallet().fingerprint)
        ) { try await manager.sign(other, network: .test, policy: signing(registration)) }
        let asked = person.entries.count
        await #expect(throws: FlowError.registrationUnconfirmed) {
            try await manager.sign(first.result.psbt, network: .test, policy: signing(registration))
        }
        #expect(person.entries.count == asked)
    }

    /// The store has proven the card's account: what is not the wallet's is refused before the CVC is asked for, and what is
    /// wrong with the PSBT is told first.
    @Test func nothingIsAskedForInVain() async throws {
        let genuine = try policy()
        let registration = try await registered(genuine)
        let manager = try bench.manager(person)
        _ = try await manager.sign(try genuine.psbt(), network: .test)
        let asked = person.entries.count
        await #expect(throws: FlowError.self) {
            try await manager.sign(try policy(Self.altered).psbt(), network: .test, policy: signing(registration))
        }
        #expect(person.entries.count == asked)
        var broken = try genuine.psbt(inputs: 2)
        broken[input: 1].witnessUTXO = try policy(Self.altered).psbt().inputs[0].witnessUTXO
        let error = await #expect(throws: FlowError.self) {
            try await manager.sign(broken, network: .test, policy: signing(registration))
        }
        #expect(error?.code == .refused)
    }

    /// One transaction may spend from two wallets that the card registered.
    @Test func severalRegisteredWalletsAreSpentTogether() async throws {
        let (genuine, second) = (try policy(), try policy("multi(2,#A,#B)"))
        let texts = [try await registered(genuine), try await registered(second, as: "second")]
        let manager = try bench.manager(person)
        let both = try genuine.psbt().joined(try second.psbt())
        #expect(
            try await manager.sign(both, network: .test, policy: signing(texts[0], texts[1])).result.added == 2)
        let alone = try genuine.psbt(inputs: 2).joined(try second.psbt())
        await #expect(
            throws: FlowError.otherWalletsCoin(registered: ["family"], by: try bench.wallet().fingerprint)
        ) { try await manager.sign(alone, network: .test, policy: signing(texts[0])) }
    }
}

import Bitcoin
import FlowSupport
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// What a card's proof of an address says about the others' keys.
@Suite struct AddressProofTests {
    /// A key that is on several spending paths is one key.
    @Test(
        arguments: [
            ("multi(2,#A,#B)", 2, nil), ("or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(1000)))", 3, 1),
            ("or_d(multi(2,#A,#B,#C),and_v(v:multi(1,#a,#b,#c),older(1000)))", 3, 1),
            ("or_d(multi(2,#A,#B),and_v(v:multi(2,#a,#b,#C),older(1000)))", 3, 2),
        ] as [(String, Int, Int?)])
    func keysAreCountedOnce(_ expression: String, _ count: Int, _ fewestOthers: Int?) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let policy = try bench.policy(expression)
        let manager = try bench.manager(ScriptedInteraction(cvc: FlowBench.cvc))
        let text = try #require(policy.descriptor().text)
        let opened = try await manager.addWallet(named: "family", of: .parsing([text]), network: .test).wallet
        let account = try DerivationPath(parsing: policy.account)
        _ = try await bench.run { driver in
            try await AccountFlow(driver: driver, cvc: CVC(FlowBench.cvc)).derive(account)
        }
        let address = try await manager.receivingAddress(of: opened)
        let proof = try await manager.prove(address, of: opened, known: nil)
        #expect(proof.keyCount == count && proof.provenKeyCount == 1 && proof.unprovenKeyCount == count - 1)
        #expect(proof.fewestOthers == fewestOthers)
        #expect(opened.wallet.shownKeys.count == count)
    }
}

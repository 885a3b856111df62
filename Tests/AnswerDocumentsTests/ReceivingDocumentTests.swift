import Bitcoin
import TapProtocol
import TestSupport
import Testing

@testable import AnswerDocuments
@testable import TapManager

/// What a program learns of an address that cards have proven.
@Suite struct ReceivingDocumentTests {
    /// Of wallets with conditions, whether a card registered them: one key alone has nothing that could be altered.
    @Test(
        arguments: [
            ("or_d(pk(#A),and_v(v:pk(#B),older(10)))", false, ["not_synced", "not_registered"]),
            ("or_d(pk(#A),and_v(v:pk(#B),older(10)))", true, ["not_synced"]), (nil, false, ["not_synced"]),
        ] as [(String?, Bool, [String])])
    func unregisteredWalletsAreRemarkedOn(_ policy: String?, _ isRegistered: Bool, _ remarks: [String]) async throws {
        let (opened, found) = try await Self.address(policy)
        let proof = AddressProof(
            cards: [], keyCount: 1, unprovenKeyCount: 0, fewestOthers: nil, othersNeedLock: false,
            isRegistered: isRegistered)
        #expect(ReceivingDocument(found, of: opened, proof: proof).remarks == remarks)
        #expect(ReceivingDocument(found, of: opened, proof: nil).remarks == ["not_synced"])
    }

    /// An address from which others can take the money is verified only if the cards registered the wallet.
    @Test(arguments: [(nil, false, true), (1, false, false), (1, true, true)] as [(Int?, Bool, Bool)])
    func whoeverElseCanSpendIsCounted(_ fewestOthers: Int?, _ isRegistered: Bool, _ isVerified: Bool) async throws {
        let (opened, found) = try await Self.address(nil)
        let proof = AddressProof(
            cards: [], keyCount: 2, unprovenKeyCount: 1, fewestOthers: fewestOthers, othersNeedLock: false,
            isRegistered: isRegistered)
        #expect(ReceivingDocument(found, of: opened, proof: proof).verified == isVerified)
        #expect(ReceivingDocument(found, of: opened, proof: nil).verified == nil)
    }

    /// The first address of a wallet of this policy or, without one, of a single key.
    private static func address(_ policy: String?) async throws -> (OpenedWallet, ReceivingAddress) {
        let holders = try [1, 2].map { try SampleWallet(seed: $0) }
        let descriptor =
            try policy.map { try SamplePolicy($0, holders).descriptor() }
            ?? Descriptor(
                parsing: "wpkh(\(holders[0].extendedKey(DerivationPath(parsing: "m/84h/1h/0h")).text)/<0;1>/*)")
        let manager = CardManager(store: MemoryStore(), clock: { UnixTime(seconds: 1) })
        let text = try #require(descriptor.text)
        let opened = try await manager.addWallet(named: "w", of: .parsing([text]), network: .test).wallet
        return (opened, try await manager.receivingAddress(of: opened, number: nil))
    }
}

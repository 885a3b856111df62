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
        let holders = try [1, 2].map { try SampleWallet(seed: $0) }
        let descriptor =
            try policy.map { try SamplePolicy($0, holders).descriptor() }
            ?? Descriptor(
                parsing: "wpkh(\(holders[0].extendedKey(DerivationPath(parsing: "m/84h/1h/0h")).text)/<0;1>/*)")
        let manager = CardManager(store: MemoryStore(), clock: { UnixTime(seconds: 1) })
        let text = try #require(descriptor.text)
        let opened = try await manager.addWallet(named: "w", of: .parsing([text]), network: .test).wallet
        let found = try await manager.receivingAddress(of: opened, number: nil)
        let proof = AddressProof(
            cards: [], keyCount: 1, unprovenKeyCount: 0, fewestOthers: nil, othersNeedLock: false,
            isRegistered: isRegistered)
        #expect(ReceivingDocument(found, of: opened, proof: proof).remarks == remarks)
        #expect(ReceivingDocument(found, of: opened, proof: nil).remarks == ["not_synced"])
    }
}

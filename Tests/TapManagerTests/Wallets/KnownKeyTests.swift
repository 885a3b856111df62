import Bitcoin
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// Anybody can write a card's fingerprint before a key. Where the card has proven its own, the other one is refused.
@Suite struct KnownKeyTests {
    private let bench: DrillBench
    private let account: DerivationPath
    private let owner: SampleWallet
    private let thief: SampleWallet

    init() throws {
        bench = try DrillBench()
        account = try DerivationPath(parsing: "m/48h/1h/0h/2h")
        owner = try SampleWallet(seed: 1)
        thief = try SampleWallet(seed: 9)
        let card = try CardRecord(
            publicKey: owner.publicKey(DerivationPath()), product: .tapsigner, isTestnet: true,
            fingerprint: owner.fingerprint, lastSeen: DrillBench.start)
        bench.store.save(card)
        bench.store.save(
            ProvenAccount(
                cardKey: card.publicKey, path: account, key: try owner.extendedKey(account), proven: DrillBench.start))
    }

    private func add(_ descriptor: String) async throws {
        _ = try await bench.manager.addWallet(named: "w", of: .parsing([descriptor]), network: .test)
    }

    /// The holder's key at a path, under the owner's name.
    private func named(_ holder: SampleWallet, at path: String) throws -> String {
        let path = try DerivationPath(parsing: path)
        return "\(KeyOrigin(fingerprint: owner.fingerprint, path: path))\(try holder.extendedKey(path).text)"
    }

    @Test(arguments: ["m/48h/1h/0h/2h", "m/48h/1h/0h/2h/0", "m/48h/1h/0h/2h/0/5"])
    func anotherKeyWhereTheCardHasItsOwn(_ path: String) async throws {
        let isFalse = { (error: any Error) in if case .falseKey = error as? WalletError { true } else { false } }
        await #expect(performing: { try await add("wpkh(\(named(thief, at: path))/*)") }, throws: isFalse)
        let key = try thief.publicKey(try DerivationPath(parsing: path))
        let bare = "\(KeyOrigin(fingerprint: owner.fingerprint, path: try DerivationPath(parsing: path)))\(key)"
        await #expect(performing: { try await add("wpkh(\(bare))") }, throws: isFalse)
        #expect(bench.store.wallets().isEmpty)
        try await add("wpkh(\(try named(owner, at: path))/*)")
    }

    /// Where it has proven nothing, nobody can tell.
    @Test func whereNothingIsProvenNothingIsRefused() async throws {
        try await add("wpkh(\(try named(thief, at: "m/48h/1h/1h/2h"))/<0;1>/*)")
    }
}

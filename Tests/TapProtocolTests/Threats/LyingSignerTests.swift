import Bitcoin
import LyingCards
import TapSimulator
import Testing

@testable import TapProtocol

/// The threats page, "The card lies": lies about a signer's keys, and what finds them out.
@Suite struct LyingSignerTests {
    private static let signers = [SimulatedProduct.tapsigner, .satschip]

    /// What a setup does to prove the chain code.
    private func proveMaster(_ bench: ThreatBench, _ session: TapSession) throws -> ClaimedAccount {
        let master = try session.setPath(DerivationPath(), cvc: bench.cvc)
        guard master.key.chainCode == bench.chainCode else {
            throw TapError.badProof(.chainCode, detail: "the chain code is not the one we supplied")
        }
        try session.probe(master.key, cvc: bench.cvc)
        return master
    }

    private func openedBackup(_ bench: ThreatBench, _ session: TapSession) throws -> Backup {
        let key = try Backup.Key(hex: try #require(bench.card.record.aesKey))
        return try Backup(decrypting: try session.backup(cvc: bench.cvc), key: key)
    }

    // MARK: Own chain code instead of ours

    @Test(arguments: signers)
    func ourChainCode(product: SimulatedProduct) throws {
        let bench = try ThreatBench(product, isReady: false)
        let session = try bench.session()
        try session.createKey(chainCode: bench.chainCode, cvc: bench.cvc)
        #expect(try proveMaster(bench, session).key == bench.account())
    }

    @Test(arguments: signers)
    func ownChainCode(product: SimulatedProduct) throws {
        let bench = try ThreatBench(product, .ignoresChainCode, isReady: false)
        let session = try bench.session()
        try session.createKey(chainCode: bench.chainCode, cvc: bench.cvc)
        try expectFailure(of: .chainCode) { try proveMaster(bench, session) }
    }

    /// `xpub` of the master key and `backup` claim ours, and agree with each other; `derive` has to say the other one, or
    /// else the keys that sign betray it.
    @Test(arguments: signers)
    func ownChainCodeClaimedToBeOurs(product: SimulatedProduct) throws {
        let bench = try ThreatBench(product, .claimsSuppliedChainCode, isReady: false)
        let session = try bench.session()
        try session.createKey(chainCode: bench.chainCode, cvc: bench.cvc)
        let claimed = try session.extendedPublicKey(master: true, cvc: bench.cvc)
        #expect(claimed.chainCode == bench.chainCode)
        if product == .tapsigner { #expect(try openedBackup(bench, session).belongs(to: claimed)) }
        try expectFailure(of: .extendedKey) { try proveMaster(bench, session) }
        session.knownKeys = KnownKeys()
        try expectFailure(of: .chainCode) { try proveMaster(bench, session) }
        try expectFailure(of: .account) { try session.probe(claimed, cvc: bench.cvc) }
    }

    // MARK: Xpub that does not derive to the signing keys

    @Test(arguments: signers, [Dishonesty.xpubOfAnotherKey, .xpubWithAnotherChainCode])
    func xpubThatDoesNotDeriveToTheSigningKeys(product: SimulatedProduct, lie: Dishonesty) throws {
        let bench = try ThreatBench(product, lie)
        let session = try bench.session()
        let claimed = try session.extendedPublicKey(master: false, cvc: bench.cvc)
        #expect(try claimed != bench.account())
        try expectFailure(of: .account) { try session.probe(claimed, cvc: bench.cvc) }

        // `derive` tells the truth: the two contradict each other.
        session.knownKeys = KnownKeys()
        let account = try session.setPath(bench.path, cvc: bench.cvc)
        try session.probe(account.key, cvc: bench.cvc)
        try expectFailure(of: .extendedKey) { try session.extendedPublicKey(master: false, cvc: bench.cvc) }
    }

    @Test(arguments: signers)
    func masterXpubOfAnotherKey(product: SimulatedProduct) throws {
        let bench = try ThreatBench(product, .masterXpubOfAnotherKey)
        let session = try bench.session()
        let claimed = try session.extendedPublicKey(master: true, cvc: bench.cvc)
        try expectFailure(of: .extendedKey) { try session.setPath(DerivationPath(), cvc: bench.cvc) }
        // The card stands at `m` all the same, and cannot sign for what it claimed.
        try expectFailure(of: .account) { try session.probe(claimed, cvc: bench.cvc) }

        session.knownKeys = KnownKeys()
        _ = try proveMaster(bench, session)
        try expectFailure(of: .extendedKey) { try session.extendedPublicKey(master: true, cvc: bench.cvc) }
    }

    @Test(arguments: signers, [Dishonesty.signsWithAnotherKey, .signsWithAnotherKeyInOurName, .signsAtAnotherSubpath])
    func anAccountThatDoesNotSign(product: SimulatedProduct, lie: Dishonesty) throws {
        let bench = try ThreatBench(product, lie)
        let session = try bench.session()
        let account = try session.setPath(bench.path, cvc: bench.cvc)
        try expectFailure(of: .account) { try session.probe(account.key, cvc: bench.cvc) }
    }

    @Test(arguments: signers)
    func aProbeOverAnotherDigest(product: SimulatedProduct) throws {
        let bench = try ThreatBench(product, .signsAnotherDigest)
        let account = try bench.account()
        try expectFailure(of: .account) { try bench.session().probe(account, cvc: bench.cvc) }
    }

    // MARK: What the opened backup tells

    @Test func backupOfAnotherKey() throws {
        let bench = try ThreatBench(.tapsigner, .backupOfAnotherKey)
        let session = try bench.session()
        let backup = try openedBackup(bench, session)
        let master = try proveMaster(bench, session).key
        #expect(!backup.belongs(to: master))

        let honest = try ThreatBench(.tapsigner)
        let other = try honest.session()
        #expect(try openedBackup(honest, other).belongs(to: proveMaster(honest, other).key))
    }

    /// The card holds the key that it claims, at another path: no proof to the host knows better. The opened backup does.
    @Test func anotherPathThanTheAskedOne() throws {
        let bench = try ThreatBench(.tapsigner, .derivesAnotherPath)
        let session = try bench.session()
        let account = try session.setPath(bench.path, cvc: bench.cvc)
        try session.probe(account.key, cvc: bench.cvc)
        #expect(try session.extendedPublicKey(master: false, cvc: bench.cvc) == account.key)
        let held = try openedBackup(bench, session).masterKey.descendant(bench.path).neutered
        #expect(held.publicKey != account.key.publicKey && held.chainCode != account.key.chainCode)
    }
}

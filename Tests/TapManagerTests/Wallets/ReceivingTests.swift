import Bitcoin
import FlowSupport
import TestSupport
import Testing

@testable import TapManager

/// Addresses to be paid to, and what is said of them.
@Suite struct ReceivingTests {
    private let bench: WalletBench
    private let store = MemoryStore()
    /// One that has nobody to ask.
    private let manager: CardManager

    init() throws {
        bench = try WalletBench()
        manager = CardManager(store: store) { UnixTime(seconds: 5) }
    }

    private func manager(asking source: FakeChain) -> CardManager {
        CardManager(store: store, chain: ChainServers(source)) { UnixTime(seconds: 5) }
    }

    private func add() async throws -> OpenedWallet {
        let text = try #require(bench.wallet.descriptors.first?.text)
        return try await manager.addWallet(named: "w", of: .parsing([text]), network: .regtest).wallet
    }

    @Test func theNextOneIsTheFirstThatNobodyPaidTo() async throws {
        let opened = try await add()
        let first = try await manager.receivingAddress(of: opened)
        #expect(first.place.index == 0 && first.remarks == [.neverAsked])
        try bench.source.pay(bench.script(0, 2), 10_000, salt: 1)
        let next = try await manager(asking: bench.source).receivingAddress(of: opened)
        #expect(next.place == WalletPlace(descriptor: 0, branch: 0, index: 3) && next.remarks.isEmpty)
        #expect(next.address.scriptPubKey == (try bench.script(0, 3)))
        #expect(next.path?.description == "m/84h/1h/0h/0/3")
        let later = try await manager.receivingAddress(of: opened)
        #expect(later.place == next.place)
        #expect(later.remarks == [.toldBefore(server: "fake", height: 200, time: UnixTime(seconds: 5))])
    }

    /// A server that does not tell what was spent.
    @Test func whatWasEmptiedIsNotKnownToSome() async throws {
        let source = FakeChain(features: [.unconfirmed])
        try source.pay(bench.script(0, 0), 10_000, salt: 1)
        let found = try await manager(asking: source).receivingAddress(of: try await add())
        #expect(found.place.index == 1 && found.remarks == [.mayBeEmptied])
    }

    @Test func aNumberIsTakenWithAWord() async throws {
        let opened = try await add()
        try bench.source.pay(bench.script(0, 2), 10_000, salt: 1)
        let manager = manager(asking: bench.source)
        _ = try await manager.chain(of: opened)
        let asked = bench.source.calls("histories")
        func remarks(_ number: UInt32) async throws -> [ReceivingAddress.Remark] {
            try await manager.receivingAddress(of: opened, number: number).remarks
        }
        #expect(try await remarks(2) == [.mayBeUsed])
        #expect(try await remarks(3).isEmpty)
        #expect(try await remarks(21).isEmpty)
        #expect(try await remarks(22) == [.far(20)])
        #expect(try await remarks(0x7FFF_FFFF) == [.far(0x7FFF_FFFD)])
        // No server is asked for a number that was named.
        #expect(bench.source.calls("histories") == asked)
        for number in [0x8000_0000, UInt32.max] {
            let error = await #expect(throws: WalletError.self) { _ = try await remarks(number) }
            #expect(error?.code == .badDescriptor)
        }
    }

    /// A server can invent deposits, each within reach of the one before, and so move the next address out of reach.
    @Test func theServersWordAloneIsRemarked() async throws {
        let opened = try await add()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        for (salt, index) in stride(from: UInt32(19), to: 140, by: 20).enumerated() {
            try bench.source.pay(bench.script(0, index), 1_000, salt: UInt32(10 + salt))
            let found = try await manager(asking: bench.source).receivingAddress(of: opened)
            #expect(found.place.index == index + 1)
            #expect(found.remarks == (index < 99 ? [] : [.claimed(index + 1)]))
        }
        // Who names an address knows what he does.
        #expect(try await manager.receivingAddress(of: opened, number: 140).remarks.isEmpty)
        let chain = try #require(store.chain(of: "w"))
        #expect(chain.scriptsShownInUse.isEmpty)
        // The wallet's own keys show that it is used so far.
        let payment = try bench.spending([coin], [WalletBench.output(9_000, try bench.script(0, 59))])
        bench.source.add(payment, height: 150)
        let found = try await manager(asking: bench.source).receivingAddress(of: opened)
        #expect(found.place.index == 140 && found.remarks.isEmpty)
        let shown = try #require(store.chain(of: "w")).scriptsShownInUse
        #expect(Set(shown.map(\.place.index)) == [0, 19, 39, 59])
    }

    /// A card proves its key only after the wallet was added, and it is another one.
    @Test func aKeyThatIsLaterFoundFalseReceivesNothing() async throws {
        let opened = try await add()
        _ = try await manager.receivingAddress(of: opened)
        let path = try bench.keys.accountPath(.p2wpkh)
        let card = try CardRecord(
            publicKey: bench.keys.publicKey(DerivationPath()), product: .tapsigner, isTestnet: true,
            fingerprint: bench.keys.fingerprint, lastSeen: UnixTime(seconds: 5))
        store.save(card)
        func prove(_ holder: SampleWallet) throws {
            store.save(
                ProvenAccount(
                    cardKey: card.publicKey, path: path, key: try holder.extendedKey(path),
                    proven: UnixTime(seconds: 5)))
        }
        try prove(bench.keys)
        _ = try await manager.receivingAddress(of: opened)
        try prove(try SampleWallet(seed: 9))
        let error = await #expect(throws: WalletError.self) { _ = try await manager.receivingAddress(of: opened) }
        #expect(error?.code == .badProof)
    }

    /// What is proven is the address that was shown: not the one that another wallet has at the same place.
    @Test func anAddressOfAnotherWalletIsNotProven() async throws {
        let opened = try await add()
        let other = try WalletBench(seed: 2)
        let text = try #require(other.wallet.descriptors.first?.text)
        let stranger = try await manager.addWallet(named: "v", of: .parsing([text]), network: .regtest).wallet
        let address = try await manager.receivingAddress(of: stranger)
        await #expect(throws: AddressProofError.otherAddress(wallet: "w")) {
            try await manager.prove(address, of: opened, known: nil)
        }
    }
}

import Bitcoin
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// A wallet with a policy, and its kit.
struct KitSample {
    private static let time = UnixTime(seconds: 1_800_000_000)

    private let store = MemoryStore()
    private let opened: OpenedWallet

    /// - Parameter cards: the names of the holders' cards, which have proven their keys.
    init(_ expression: String, _ holders: [SampleWallet], cards: [String] = []) throws {
        let policy = SamplePolicy(expression, holders)
        let text = try #require(DescriptorText(policy.descriptor()))
        opened = try OpenedWallet(
            StoredWallet(name: "w", network: .test, descriptors: [text], created: Self.time), network: nil)
        let path = try DerivationPath(parsing: policy.account)
        for (holder, name) in zip(holders, cards) {
            let card = try CardRecord(
                publicKey: holder.publicKey(DerivationPath()), product: .tapsigner, isTestnet: true,
                fingerprint: holder.fingerprint, lastSeen: Self.time, name: name)
            store.save(card)
            store.save(
                ProvenAccount(
                    cardKey: card.publicKey, path: path, key: try holder.extendedKey(path), proven: Self.time))
        }
    }

    /// What the kit says.
    /// - Parameter index: that of the address with the only coin; `nil`: no server was asked.
    func kit(coinAt index: UInt32? = nil) throws -> WalletKit {
        let view = try WalletOverview(opened, try index.map { try chain($0) }, in: store, at: Self.time)
        return try WalletKit(opened.wallet, view, in: store, at: Self.time)
    }

    private func chain(_ index: UInt32) throws -> WalletChain {
        let place = opened.wallet.branches[0].place(index)
        let script = try opened.wallet.script(at: place)
        let funding = try SampleWallet.funding(script, amount: 5_000, salt: 1)
        return WalletChain(
            network: .test, server: "s", height: 1_000, time: Self.time, hasHistory: true,
            scripts: [.init(place: place, script: script, isUsed: true)],
            transactions: [WalletTransaction(transaction: funding, id: funding.id, height: 900)],
            coins: [
                WalletCoin(
                    outpoint: Outpoint(transactionID: funding.id, index: 1), output: funding.outputs[1], place: place,
                    height: 900, isCoinbase: false)
            ])
    }
}

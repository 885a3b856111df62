import Bitcoin
import SmartCard

@testable import TapProtocol
@testable import TapSimulator

/// A powered simulated card, and the facts about it.
struct CardBench: Sendable {
    let core: CardCore
    let product: CardProduct
    /// The root of its certificates.
    let root: PublicKey
    /// The card's own key.
    let cardKey: PublicKey
    /// TAPSIGNER, SATSCHIP: the extended key at `path`, if it has one.
    let account: ExtendedPublicKey?
    /// SATSCARD: the key of the active slot, if it has one.
    let slotKey: PublicKey?

    static let path = DerivationPath([84, 0, 0].map { ChildNumber(rawValue: $0 | 0x8000_0000) })
    static let chainCode = required(ChainCode([UInt8](1...32)), "32 bytes are a chain code")
    static let digest = Digest(hashing: "tapkit".utf8)
    static let subpath = DerivationPath([0, 7].map { ChildNumber(rawValue: $0) })
    static let cvc = required("six digits are a CVC") { try CVC("123456") }
    static let newCVC = required("six digits are a CVC") { try CVC("654321") }

    /// All cards: each product, new and in use, with the newest and an old version.
    static let all: [CardBench] = {
        var benches: [CardBench] = []
        for product in SimulatedProduct.allCases {
            let versions: [TapSimulator.AppletVersion] = product == .satschip ? [.newest] : [.newest, .v090]
            for version in versions {
                for isInUse in [false, true] {
                    benches.append(
                        required("a card is made") { try CardBench(product, version, isInUse: isInUse) })
                }
            }
        }
        return benches
    }()

    private init(_ product: SimulatedProduct, _ version: TapSimulator.AppletVersion, isInUse: Bool) throws {
        var options = SimulatedCardOptions(product: product)
        options.version = version
        options.seed = [1]
        options.cvc = "123456"
        options.unluckyPercent = 0
        if product == .satscard { (options.usedSlots, options.isBlank) = (isInUse ? 2 : 0, !isInUse) }
        let card = try SimulatedCard(options, waitDuration: .zero)
        let connection = CardConnection(reader: SimulatedReader(card: card), trace: nil)
        _ = try connection.begin()
        let session = try TapSession(connection: connection, random: SeedRandom(), trace: nil)
        self.product = session.status.product
        var (account, slotKey): (ExtendedPublicKey?, PublicKey?)
        if isInUse, product == .satscard { slotKey = try session.read() }
        if isInUse, product != .satscard {
            try session.createKey(chainCode: Self.chainCode, cvc: Self.cvc)
            account = try session.setPath(Self.path, cvc: Self.cvc).key
            if product == .tapsigner { _ = try session.backup(cvc: Self.cvc) }
        }
        (self.account, self.slotKey) = (account, slotKey)
        root = try card.record.rootKey
        cardKey = session.status.publicKey
        connection.drop()
        var core = CardCore(state: card.state)
        core.powerOn()
        self.core = core
    }
}

import Bitcoin
import LyingCards
import SmartCard
import TapSimulator

@testable import TapProtocol

/// A card that lies from inside, or an honest one behind a liar, and a session with it.
struct ThreatBench {
    let card: SimulatedCard
    let liar: Liar
    let reader: SimulatedReader
    let cvc: CVC
    let chainCode = ChainCode(repeating: 0x21)
    let path = DerivationPath([84, 0, 0].map { ChildNumber(rawValue: $0 | 0x8000_0000) })
    let digest = Digest(hashing: "tapkit".utf8)

    /// A card that begins to lie when it is ready: a signer with a key, a path and a backup; a SATSCARD with three opened
    /// slots and the fourth sealed.
    init(
        _ product: SimulatedProduct, _ dishonesty: Dishonesty..., liar: Liar = Liar(), isReady: Bool = true,
        adjust: (inout SimulatedCardOptions) -> Void = { _ in }
    ) throws {
        var options = SimulatedCardOptions(product: product)
        options.seed = [3]
        options.cvc = "123456"
        options.unluckyPercent = 0
        if product == .satscard { (options.usedSlots, options.isBlank) = (3, !isReady) }
        adjust(&options)
        card = try SimulatedCard(options, waitDuration: .zero)
        cvc = try CVC("123456")
        if product != .satscard, isReady {
            let session = try Self.open(SimulatedReader(card: card))
            try session.createKey(chainCode: chainCode, cvc: cvc)
            try session.setPath(path, cvc: cvc)
            if product == .tapsigner { _ = try session.backup(cvc: cvc) }
        }
        if !dishonesty.isEmpty { try card.lie(dishonesty) }
        self.liar = liar
        reader = SimulatedReader(card: card, interceptor: liar)
    }

    /// The root of the card's factory.
    var root: PublicKey { get throws { try card.record.rootKey } }

    /// A session with the card as it is now.
    func session() throws -> TapSession {
        reader.pull(.atOnce)
        return try Self.open(reader)
    }

    private static func open(_ reader: SimulatedReader) throws -> TapSession {
        let connection = CardConnection(reader: reader, trace: nil)
        _ = try connection.begin()
        return try TapSession(connection: connection, random: ScriptedRandom(), trace: nil)
    }

    /// What the card really holds at its path; without its parent's fingerprint, which cards do not tell.
    func account() throws -> ExtendedPublicKey {
        let record = card.record
        let held = try ExtendedPrivateKey(parsing: try record.masterKey ?? "").descendant(record.path ?? path).neutered
        let orphan = ExtendedPublicKey(
            network: held.network, depth: held.depth, childNumber: held.childNumber, chainCode: held.chainCode,
            publicKey: held.publicKey)
        return orphan
    }

    /// Every proof that needs no CVC.
    func proveCard() throws -> CardProof { try session().proveCard(customRoots: [try root]) }
}

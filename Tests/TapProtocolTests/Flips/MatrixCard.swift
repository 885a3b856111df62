import Bitcoin
import SmartCard
import Testing

@testable import TapProtocol
@testable import TapSimulator

/// A state of a card that matters to what its commands answer.
enum Scene: String, CaseIterable, Sendable {
    /// A signer without a key.
    case blank
    /// A signer with a key, a path and a backup.
    case ready
    /// A SATSCARD whose first slot is sealed.
    case firstSealed
    /// A SATSCARD with two opened slots, the third of which nobody picked a key for.
    case unused
    /// A SATSCARD with three opened slots and the fourth sealed.
    case someOpened
    /// A SATSCARD whose last slot is sealed.
    case lastSealed
    /// A SATSCARD with every slot opened.
    case full
    /// Any card behind three wrong CVCs.
    case delayed
    /// Any card that calls itself tampered with.
    case tampered

    static func of(_ product: CardProduct) -> Set<Scene> {
        product == .satscard
            ? [.firstSealed, .unused, .someOpened, .lastSealed, .full, .delayed, .tampered]
            : [.blank, .ready, .delayed, .tampered]
    }

    /// The next slot to be opened, and whether it has a key.
    fileprivate var slots: (used: Int, isBlank: Bool) {
        switch self {
        case .unused: (2, true)
        case .someOpened: (3, false)
        case .lastSealed: (9, false)
        case .full: (10, false)
        default: (0, false)
        }
    }
}

/// A product and the version of its applet. Version 1.0.2 is the testnet's here, the others are the mainnet's.
struct MatrixModel: Sendable, Hashable, CustomTestStringConvertible {
    let product: CardProduct
    let version: TapSimulator.AppletVersion
    /// How the card differs from its documents.
    var habits: Set<CardHabit> = []

    static let all = CardProduct.allCases.flatMap { product in
        TapSimulator.AppletVersion.allCases.map { MatrixModel(product: product, version: $0) }
    }

    /// Cards with habits: the maker's emulator's, those of a card that says more than it must, and of one that says less.
    static let habitual = CardProduct.allCases.flatMap { product in
        [
            [.header31, .highR, .zerosInCheck, .derivedKeySigns, .otherMasterKeys],
            [
                .header35, .threeCertificates, .highS, .longHeads, .otherOrder, .extraFields, .oddBirth, .otherProtocol,
                .oddXpub, .versionSuffix, .addressEnds, .chipAlone,
            ],
            [.header27, .oneCertificate, .highR, .highS, .missingFields, .missingNonces, .unreadableVersion],
        ].map { MatrixModel(product: product, version: .newest, habits: $0) }
    }

    var testDescription: String {
        let names = habits.map(\.rawValue).sorted().joined(separator: ", ")
        return "\(product.displayName) \(version.rawValue)" + (habits.isEmpty ? "" : " (\(names))")
    }
}

/// A software card from a seed, under power and not yet selected: the same one every time.
struct MatrixCard {
    let model: MatrixModel
    let scene: Scene
    let core: CardCore
    let root: PublicKey
    let backupKey: Backup.Key?
    let cvc: CVC
    let newCVC: CVC
    let chainCode = ChainCode(repeating: 0x21)
    let path = DerivationPath([84, 0, 0].map { ChildNumber(rawValue: $0 | 0x8000_0000) })
    let otherPath = DerivationPath([48, 0].map { ChildNumber(rawValue: $0 | 0x8000_0000) })
    let subpath = DerivationPath([0, 7].map { ChildNumber(rawValue: $0) })
    let digest = Digest(hashing: "tapkit".utf8)

    /// - Parameters:
    ///   - seed: another one gives another card.
    ///   - unluckyPercent: how many of a hundred signatures end in error 205.
    ///   - earlierPowerCycles: how often less the card had power: it then has other nonces.
    init(
        _ model: MatrixModel, _ scene: Scene, seed: UInt8 = 1, unluckyPercent: Int = 0, earlierPowerCycles: Int = 0
    ) throws {
        self.model = model
        self.scene = scene
        cvc = try CVC("123456")
        newCVC = try CVC("654321")
        var options = SimulatedCardOptions(product: try #require(SimulatedProduct(rawValue: model.product.rawValue)))
        options.version = model.version
        options.network = model.version == .v102 ? .test : .main
        options.seed = [seed]
        options.cvc = "123456"
        options.unluckyPercent = unluckyPercent
        options.isTampered = scene == .tampered
        options.habits = model.habits
        if model.product == .satscard { (options.usedSlots, options.isBlank) = scene.slots }
        let card = try SimulatedCard(options, waitDuration: .zero)
        root = try card.record.rootKey
        backupKey = try card.record.aesKey.map { try Backup.Key(hex: $0) }
        try Self.prepare(card, model.product, scene, (cvc, newCVC), chainCode, path)
        var core = CardCore(state: card.state)
        for _ in earlierPowerCycles...1 { core.powerOn() }
        self.core = core
    }

    private static func prepare(
        _ card: SimulatedCard, _ product: CardProduct, _ scene: Scene, _ cvcs: (right: CVC, wrong: CVC),
        _ chainCode: ChainCode, _ path: DerivationPath
    ) throws {
        let connection = CardConnection(reader: SimulatedReader(card: card), trace: nil)
        _ = try connection.begin()
        defer { connection.drop() }
        let session = try TapSession(connection: connection, random: ScriptedRandom(), trace: nil)
        if product != .satscard, scene != .blank {
            try session.createKey(chainCode: chainCode, cvc: cvcs.right)
            try session.setPath(path, cvc: cvcs.right)
            if product == .tapsigner { _ = try session.backup(cvc: cvcs.right) }
        }
        if scene == .delayed {
            for _ in 0..<3 {
                #expect(throws: TapError.self) {
                    if product == .satscard {
                        _ = try session.dump(SlotNumber(index: 0), cvc: cvcs.wrong)
                    } else {
                        try session.test(cvcs.wrong)
                    }
                }
            }
        }
    }
}

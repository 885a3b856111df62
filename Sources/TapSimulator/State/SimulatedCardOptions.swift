import Bitcoin
import ByteCodec

/// The properties of a new simulated card; by default, those of a card that was just bought.
public struct SimulatedCardOptions: Sendable {
    /// The product that the card represents.
    public var product: SimulatedProduct
    /// The network whose addresses and key versions it uses.
    public var network = SimulatedNetwork.main
    /// The applet's version. A SATSCHIP needs 1.0.0 or later.
    public var version = AppletVersion.newest
    /// The CVC, 6–32 digits (SATSCARD: exactly 6). `nil`: six random digits, "printed on the card"; SATSCHIP: 123456.
    public var cvc: String?
    /// At least 1 byte from which all the card's randomness is derived; `nil` uses the system's. Two cards with the
    /// same options and seed are identical, so use a seed only in tests.
    public var seed: [UInt8]?
    /// The percentage of signatures that end in error 205, 0–100.
    public var unluckyPercent = 12
    /// SATSCARD: how many slots are already unsealed, 0–10; the next one is sealed.
    public var usedSlots = 0
    /// SATSCARD: the next slot is not set up yet, and waits for `new`. A TAPSIGNER or SATSCHIP always comes without a
    /// key, so this changes nothing there.
    public var isBlank = false
    /// Whether the card has detected tampering, which `status` and its tap link then report. On a SATSCARD the slot
    /// that would be sealed has unsealed itself, without `unseal`; on a full one it was the last slot.
    public var isTampered = false
    /// How long the card takes for what is slow on real cards.
    public var delays = CardDelays()
    /// The factory that signs the card's certificates.
    public var factory = SimulatedFactory.standard
    /// The range of the certificates' first bytes.
    public var certificateHeader = CertificateHeader.segwit
    /// Whether a signer's `derive` is signed by the derived key, as in the maker's emulator; cards use the master key.
    public var signsDeriveWithDerivedKey = false
    /// How the card deviates from the protocol's text while still being genuine in every proof.
    public var habits: Set<CardHabit> = []

    /// A card as it is sold.
    public init(product: SimulatedProduct) { self.product = product }

    /// - Throws: `SimulatedCardError.badOptions`, which says what is wrong.
    func validate() throws(SimulatedCardError) {
        try Self.expect((0...100).contains(unluckyPercent), "The share of unlucky signatures must be 0 to 100 percent.")
        try Self.expect(delays.isPossible, "A delay must be 0 to \(CardDelays.longest) milliseconds.")
        try Self.expect(seed?.isEmpty != true, "The seed is empty.")
        try Self.expect((0...SatscardState.slotCount).contains(usedSlots), "A SATSCARD has ten slots.")
        try Self.expect(product == .satscard || usedSlots == 0, "Only a SATSCARD has slots.")
        try Self.expect(CardHabit.canBeTogether(habits), "These habits exclude each other.")
        if let cvc {
            let isAllDigits = cvc.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            let lengths = product == .satscard ? 6...6 : 6...32
            try Self.expect(
                isAllDigits && lengths.contains(cvc.utf8.count),
                product == .satscard ? "The CVC of a SATSCARD has six digits." : "A CVC has 6 to 32 digits.")
        }
    }

    private static func expect(_ condition: Bool, _ message: String) throws(SimulatedCardError) {
        guard condition else { throw SimulatedCardError(.badOptions, message) }
    }
}

extension SimulatedCardState {
    /// Creates a card as the factory does.
    /// - Throws: `SimulatedCardError.badOptions`, which says what is wrong.
    init(options: SimulatedCardOptions) throws(SimulatedCardError) {
        try options.validate()
        var random = CardRandom(seed: options.seed, session: 0)
        let key = PrivateKey(using: &random)
        let certificates = try options.factory.certificates(
            for: key.publicKey, header: options.habits.certificateHeader ?? options.certificateHeader,
            count: options.habits.certificateCount)
        self.init(
            network: options.network, version: options.version, birth: 700_000 + random.number(below: 300_000),
            factory: options.factory, cardKey: StoredSecret(key.secret), certificates: certificates.map(HexBytes.init),
            seed: options.seed.map(HexBytes.init), unluckyPercent: options.unluckyPercent,
            signsDeriveWithDerivedKey: options.signsDeriveWithDerivedKey, habits: options.habits,
            delays: options.delays,
            cvc: StoredSecret(Self.startingCVC(options, &random)),
            content: ProductState(options: options, random: &random))
        if options.isTampered { tamper() }
    }

    private static func startingCVC(_ options: SimulatedCardOptions, _ random: inout CardRandom) -> [UInt8] {
        if let cvc = options.cvc { return Array(cvc.utf8) }
        if options.product == .satschip { return Array("123456".utf8) }
        return (0..<6).map { _ in UInt8(ascii: "0") + UInt8(random.number(below: 10)) }
    }
}

extension ProductState {
    fileprivate init(options: SimulatedCardOptions, random: inout CardRandom) {
        switch options.product {
        case .tapsigner:
            self = .tapsigner(TapsignerState(aesKey: StoredSecret(random.bytes(AES128CTR.keyLength))))
        case .satschip: self = .satschip(SatschipState())
        case .satscard:
            // The factory's chain code; every slot without a chain code of its own reuses it.
            let chainCode = random.bytes(32)
            var slots = [SlotState](repeating: .unused, count: SatscardState.slotCount)
            for slot in slots.indices.prefix(options.usedSlots + (options.isBlank ? 0 : 1)) {
                let key = PickedKey(masterKey: PrivateKey(using: &random), chainCode: chainCode)
                slots[slot] = slot < options.usedSlots ? .unsealed(key) : .sealed(key)
            }
            let isFullAndTampered = options.isTampered && options.usedSlots == slots.count
            self = .satscard(
                SatscardState(slots: slots, selfOpenedSlots: isFullAndTampered ? [slots.count - 1] : []))
        }
    }
}

import FoundationEssentials

/// The layout of the card's file: JSON, format 1, bytes as hexadecimal, one section named after the product.
extension SimulatedCardState: Codable {
    private static let format = "tapkit simulated card"
    private static let formatVersion = 1

    private enum CodingKeys: String, CodingKey {
        case format
        case formatVersion = "format_version"
        case product
        case network
        case version = "applet"
        case birth
        case factory
        case cardKey = "card_key"
        case certificates
        case seed
        case powerCycles = "power_cycles"
        case unluckyPercent = "unlucky_percent"
        case signsDeriveWithDerivedKey = "derive_signed_by_derived_key"
        case habits
        case waitMilliseconds = "wait_ms"
        case signMilliseconds = "sign_ms"
        case isTampered = "tampered"
        case cvc
        case wrongAttempts = "wrong_attempts"
        case authDelay = "auth_delay"
        case content
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decode(String.self, forKey: .format) == Self.format else {
            throw SimulatedCardError(.damaged, "The file does not contain a simulated card.")
        }
        let formatVersion = try container.decode(Int.self, forKey: .formatVersion)
        guard formatVersion == Self.formatVersion else {
            throw SimulatedCardError(
                .damaged, "The card's file has format \(formatVersion), but this program supports only format 1.")
        }
        network = try container.decode(SimulatedNetwork.self, forKey: .network)
        version = try container.decode(AppletVersion.self, forKey: .version)
        birth = try container.decode(Int.self, forKey: .birth)
        factory = try container.decode(SimulatedFactory.self, forKey: .factory)
        cardKey = try container.decode(StoredSecret.self, forKey: .cardKey)
        certificates = try container.decode([HexBytes].self, forKey: .certificates)
        seed = try container.decodeIfPresent(HexBytes.self, forKey: .seed)
        powerCycles = try container.decode(UInt64.self, forKey: .powerCycles)
        unluckyPercent = try container.decode(Int.self, forKey: .unluckyPercent)
        signsDeriveWithDerivedKey = try container.decode(Bool.self, forKey: .signsDeriveWithDerivedKey)
        // Files of earlier versions lack these.
        habits = Set(try container.decodeIfPresent([CardHabit].self, forKey: .habits) ?? [])
        let usual = CardDelays()
        delays = CardDelays(
            waitMilliseconds: try container.decodeIfPresent(Int.self, forKey: .waitMilliseconds)
                ?? usual.waitMilliseconds,
            signMilliseconds: try container.decodeIfPresent(Int.self, forKey: .signMilliseconds)
                ?? usual.signMilliseconds)
        isTampered = try container.decodeIfPresent(Bool.self, forKey: .isTampered) ?? false
        cvc = try container.decode(StoredSecret.self, forKey: .cvc)
        wrongAttempts = try container.decode(Int.self, forKey: .wrongAttempts)
        authDelay = try container.decode(Int.self, forKey: .authDelay)
        switch try container.decode(SimulatedProduct.self, forKey: .product) {
        case .tapsigner: content = .tapsigner(try container.decode(TapsignerState.self, forKey: .content))
        case .satscard: content = .satscard(try container.decode(SatscardState.self, forKey: .content))
        case .satschip: content = .satschip(try container.decode(SatschipState.self, forKey: .content))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.format, forKey: .format)
        try container.encode(Self.formatVersion, forKey: .formatVersion)
        try container.encode(product, forKey: .product)
        try container.encode(network, forKey: .network)
        try container.encode(version, forKey: .version)
        try container.encode(birth, forKey: .birth)
        try container.encode(factory, forKey: .factory)
        try container.encode(cardKey, forKey: .cardKey)
        try container.encode(certificates, forKey: .certificates)
        try container.encodeIfPresent(seed, forKey: .seed)
        try container.encode(powerCycles, forKey: .powerCycles)
        try container.encode(unluckyPercent, forKey: .unluckyPercent)
        try container.encode(signsDeriveWithDerivedKey, forKey: .signsDeriveWithDerivedKey)
        try container.encode(habits.sorted { $0.rawValue < $1.rawValue }, forKey: .habits)
        try container.encode(delays.waitMilliseconds, forKey: .waitMilliseconds)
        try container.encode(delays.signMilliseconds, forKey: .signMilliseconds)
        try container.encode(isTampered, forKey: .isTampered)
        try container.encode(cvc, forKey: .cvc)
        try container.encode(wrongAttempts, forKey: .wrongAttempts)
        try container.encode(authDelay, forKey: .authDelay)
        switch content {
        case .tapsigner(let state): try container.encode(state, forKey: .content)
        case .satscard(let state): try container.encode(state, forKey: .content)
        case .satschip(let state): try container.encode(state, forKey: .content)
        }
    }

    /// The content of a card's file.
    init(fileContent: [UInt8]) throws(SimulatedCardError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(fileContent))
        } catch let error as SimulatedCardError {
            throw error
        } catch {
            // The decoder's own description may quote the content.
            throw SimulatedCardError(.damaged, "The file does not contain a simulated card, or is damaged.")
        }
        try validate()
    }

    /// The content of the card's file.
    func fileContent() throws(SimulatedCardError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        do {
            return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
        } catch {
            throw SimulatedCardError(.fileFailed, "The card's state cannot be written as JSON.")
        }
    }
}

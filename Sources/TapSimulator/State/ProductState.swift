/// The part of a card's state that depends on the product.
enum ProductState: Sendable, Equatable {
    case tapsigner(TapsignerState)
    case satscard(SatscardState)
    case satschip(SatschipState)

    var product: SimulatedProduct {
        switch self {
        case .tapsigner: .tapsigner
        case .satscard: .satscard
        case .satschip: .satschip
        }
    }
}

/// The single key of a TAPSIGNER or SATSCHIP, and the current hardened path below it.
struct SignerKey: Codable, Sendable, Equatable {
    /// `m/84h/0h/0h`, the path after `new`.
    static let startingPath: [UInt32] = [0x8000_0054, 0x8000_0000, 0x8000_0000]

    let master: PickedKey
    var path: [UInt32]
}

/// A TAPSIGNER.
struct TapsignerState: Codable, Sendable, Equatable {
    /// The backup counter stops here.
    static let mostBackups = 127

    /// 16 bytes, printed on the card's back.
    let aesKey: StoredSecret
    /// How often `backup` has run.
    var backups = 0
    /// `nil` before `new`.
    var key: SignerKey?

    private enum CodingKeys: String, CodingKey {
        case aesKey = "aes_key"
        case backups
        case key
    }
}

/// A SATSCHIP.
struct SatschipState: Codable, Sendable, Equatable {
    /// `nil` before `new`.
    var key: SignerKey?
}

/// A SATSCARD.
struct SatscardState: Sendable, Equatable {
    /// Cards leave the factory with ten slots.
    static let slotCount = 10

    var slots: [SlotState]
    /// The slots that the card unsealed by itself, without `unseal`; `dump` reports them as tampered.
    var selfOpenedSlots: Set<Int> = []

    /// The first slot that is not yet unsealed; the number of slots if all are.
    var firstUnopened: Int { slots.firstIndex { !$0.isUnsealed } ?? slots.count }
}

extension SatscardState: Codable {
    private enum CodingKeys: String, CodingKey {
        case slots
        case selfOpenedSlots = "tampered_slots"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        slots = try container.decode([SlotState].self, forKey: .slots)
        // Files of earlier versions lack this.
        selfOpenedSlots = Set(try container.decodeIfPresent([Int].self, forKey: .selfOpenedSlots) ?? [])
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(slots, forKey: .slots)
        try container.encode(selfOpenedSlots.sorted(), forKey: .selfOpenedSlots)
    }
}

/// One slot of a SATSCARD.
enum SlotState: Sendable, Equatable {
    case unused
    case sealed(PickedKey)
    case unsealed(PickedKey)

    var isUnsealed: Bool { if case .unsealed = self { true } else { false } }

    /// The slot's key, sealed or not.
    var key: PickedKey? {
        switch self {
        case .unused: nil
        case .sealed(let key), .unsealed(let key): key
        }
    }
}

extension SlotState: Codable {
    private enum CodingKeys: String, CodingKey {
        case state
        case key
    }

    private enum Name: String, Codable {
        case unused
        case sealed
        case unsealed
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Name.self, forKey: .state) {
        case .unused: self = .unused
        case .sealed: self = .sealed(try container.decode(PickedKey.self, forKey: .key))
        case .unsealed: self = .unsealed(try container.decode(PickedKey.self, forKey: .key))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let name: Name
        switch self {
        case .unused: name = .unused
        case .sealed: name = .sealed
        case .unsealed: name = .unsealed
        }
        try container.encode(name, forKey: .state)
        try container.encodeIfPresent(key, forKey: .key)
    }
}

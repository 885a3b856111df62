import Bitcoin
import ByteCodec

/// What a simulated card holds, for showing: what everybody may see, and apart from it what only the owner may.
public struct SimulatedCardRecord: Sendable, CustomStringConvertible, CustomReflectable {
    let state: SimulatedCardState

    init(_ state: SimulatedCardState) { self.state = state }

    /// Makes a new card in a file, which must not be there yet.
    /// - Throws: `SimulatedCardError`: `.badOptions`, `.exists`, `.fileFailed`.
    public init(creating options: SimulatedCardOptions, at path: String) throws(SimulatedCardError) {
        state = try SimulatedCardState(options: options)
        try SimulatedCardFile.create(state, at: path)
    }

    /// Reads a card's file, even while it is in use.
    /// - Throws: `SimulatedCardError`: `.notFound`, `.damaged`, `.fileFailed`.
    public init(path: String) throws(SimulatedCardError) {
        var content = try LockedFile.content(at: path, limit: SimulatedCardFile.largest)
        defer { content.wipe() }
        state = try SimulatedCardState(fileContent: content)
    }

    /// The ident only.
    public var description: String { "simulated card \((try? ident) ?? "without a key")" }

    /// Shows nothing to debuggers' and `dump`'s reflection.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SimulatedCardRecord {
    /// One slot of a SATSCARD.
    public struct Slot: Sendable, Equatable {
        /// What became of the slot.
        public enum State: String, Sendable {
            /// No key yet.
            case unused
            /// A key that nobody knows.
            case sealed
            /// A key that was given away.
            case unsealed
        }

        /// Counted from 0, as the protocol does.
        public let number: Int
        /// What became of the slot.
        public let state: State
        /// The P2WPKH address; `nil` for an unused slot.
        public let address: String?
    }

    /// Which product.
    public var product: SimulatedProduct { state.product }
    /// Which network.
    public var network: SimulatedNetwork { state.network }
    /// The version of the card's program.
    public var version: AppletVersion { state.version }
    /// Block height on the card's day of birth.
    public var birthHeight: Int { state.birth }
    /// How many of a hundred signatures end in error 205.
    public var unluckyPercent: Int { state.unluckyPercent }
    /// Whether the card's randomness follows from a seed.
    var isReproducible: Bool { state.seed != nil }
    /// Whether the card found something wrong with itself.
    public var isTampered: Bool { state.isTampered }
    /// How the card differs from the protocol's text, by name.
    public var habits: [CardHabit] { state.habits.sorted { $0.rawValue < $1.rawValue } }
    /// How long the card takes for what real cards are slow at.
    public var delays: CardDelays { state.delays }
    /// Wrong CVCs in a row, 0–3.
    public var wrongAttempts: Int { state.wrongAttempts }
    /// `wait` commands that must run before the next CVC is looked at, 0–15.
    public var authDelay: Int { state.authDelay }
    /// A signer's path in force; `nil` before setup and on a SATSCARD.
    public var path: DerivationPath? {
        state.signerKey.map { DerivationPath($0.path.map(ChildNumber.init(rawValue:))) }
    }
    /// How often a TAPSIGNER was backed up; `nil` on other products.
    public var backups: Int? {
        if case .tapsigner(let signer) = state.content { signer.backups } else { nil }
    }

    /// The card's public key.
    public var cardKey: PublicKey {
        get throws(SimulatedCardError) { try readable { () throws(CardFault) in try state.cardPrivateKey().publicKey } }
    }

    /// The card's name for people: four groups of five characters.
    public var ident: String { get throws(SimulatedCardError) { Self.ident(ofKey: try cardKey.bytes) } }

    /// The name for people of the card with a key of 33 bytes.
    ///
    /// Spec: protocol, "Identities".
    static func ident(ofKey cardKey: [UInt8]) -> String {
        let text = Array(Base32.encode(SHA256.hash(cardKey).dropFirst(8)))
        return stride(from: 0, to: 20, by: 5).map { String(text[$0..<($0 + 5)]) }.joined(separator: "-")
    }

    /// The factory root that verifies this card.
    public var rootKey: PublicKey { get throws(SimulatedCardError) { try state.factory.rootKey } }

    /// A SATSCARD's slots; `nil` on other products.
    public var slots: [Slot]? {
        get throws(SimulatedCardError) {
            guard case .satscard(let content) = state.content else { return nil }
            return try readable { () throws(CardFault) in
                var slots: [Slot] = []
                for (number, slot) in content.slots.enumerated() {
                    let address = try slot.key.map { (key) throws(CardFault) in
                        SlotAddress(try key.slotKey(state.network), state.network).text
                    }
                    slots.append(Slot(number: number, state: slot.name, address: address))
                }
                return slots
            }
        }
    }

    func readable<Value>(_ read: () throws(CardFault) -> Value) throws(SimulatedCardError) -> Value {
        do throws(CardFault) { return try read() } catch {
            throw SimulatedCardError(.damaged, "A key of the simulated card is not valid.")
        }
    }
}

extension SimulatedCard {
    /// What the card holds now.
    public var record: SimulatedCardRecord { SimulatedCardRecord(state) }
}

extension SlotState {
    fileprivate var name: SimulatedCardRecord.Slot.State {
        switch self {
        case .unused: .unused
        case .sealed: .sealed
        case .unsealed: .unsealed
        }
    }
}

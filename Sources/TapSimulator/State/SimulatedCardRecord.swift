import Bitcoin
import ByteCodec

/// The content of a simulated card, for display: what anyone may see, and separately what only the owner may.
public struct SimulatedCardRecord: Sendable, CustomStringConvertible, CustomReflectable {
    let state: SimulatedCardState

    init(_ state: SimulatedCardState) { self.state = state }

    /// Creates a new card in a file, which must not exist yet.
    /// - Throws: `SimulatedCardError`: `.badOptions`, `.exists`, `.fileFailed`.
    public init(creating options: SimulatedCardOptions, at path: String) throws(SimulatedCardError) {
        state = try SimulatedCardState(options: options)
        try SimulatedCardFile.create(state, at: path)
    }

    /// Reads a card's file, even while it is in use.
    /// - Throws: `SimulatedCardError`: `.notFound`, `.damaged`, `.unreadable`.
    public init(path: String) throws(SimulatedCardError) {
        var content = try LockedFile.content(at: path, limit: SimulatedCardFile.largest)
        defer { content.wipe() }
        state = try SimulatedCardState(fileContent: content)
    }

    /// The ident only.
    public var description: String { "simulated card \((try? ident) ?? "without a key")" }

    /// Shows nothing to debuggers and `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SimulatedCardRecord {
    /// One slot of a SATSCARD.
    public struct Slot: Sendable, Equatable {
        /// The slot's state.
        public enum State: String, Sendable {
            /// No key yet.
            case unused
            /// A key that nobody knows.
            case sealed
            /// A key that was revealed.
            case unsealed
        }

        /// Counted from 0, as the protocol does.
        public let number: Int
        /// The slot's state.
        public let state: State
        /// The P2WPKH address; `nil` for an unused slot.
        public let address: String?
    }

    /// The product that the card represents.
    public var product: SimulatedProduct { state.product }
    /// The network whose addresses and key versions it uses.
    public var network: SimulatedNetwork { state.network }
    /// The applet's version.
    public var version: AppletVersion { state.version }
    /// The block height when the card was made.
    public var birthHeight: Int { state.birth }
    /// The percentage of signatures that end in error 205.
    public var unluckyPercent: Int { state.unluckyPercent }
    /// Whether the card's randomness is derived from a seed.
    var isReproducible: Bool { state.seed != nil }
    /// Whether the card has detected tampering.
    public var isTampered: Bool { state.isTampered }
    /// How the card deviates from the protocol's text, by name.
    public var habits: [CardHabit] { state.habits.sorted { $0.rawValue < $1.rawValue } }
    /// How long the card takes for what is slow on real cards.
    public var delays: CardDelays { state.delays }
    /// Wrong CVCs in a row, 0–3.
    public var wrongAttempts: Int { state.wrongAttempts }
    /// `wait` commands that must run before the next CVC is checked, 0–15.
    public var authDelay: Int { state.authDelay }
    /// A signer's current path; `nil` before setup and on a SATSCARD.
    public var path: DerivationPath? {
        state.signerKey.map { DerivationPath($0.path.map(ChildNumber.init(rawValue:))) }
    }
    /// How many backups of a TAPSIGNER were made; `nil` on other products.
    public var backups: Int? {
        if case .tapsigner(let signer) = state.content { signer.backups } else { nil }
    }

    /// The card's public key.
    public var cardKey: PublicKey {
        get throws(SimulatedCardError) { try readable { () throws(CardFault) in try state.cardPrivateKey().publicKey } }
    }

    /// The card's identifier for people: four groups of five characters.
    public var ident: String { get throws(SimulatedCardError) { Self.ident(ofKey: try cardKey.bytes) } }

    /// The identifier of the card with this 33-byte key.
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
    /// The card's present content.
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

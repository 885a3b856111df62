import Bitcoin

/// The stored form of a flow's state: a JSON object with the fields of the state, next to the flow's kind. What was
/// written once stays readable.
extension FlowState {
    /// The state without its kind.
    var fields: any Encodable & Sendable {
        switch self {
        case .setup(let state): state
        case .backup(let state): state
        case .changeCVC(let state): state
        case .derive(let state): state
        case .unseal(let state): state
        case .nextSlot(let state): state
        case .sign(let state): state
        }
    }

    /// The object's text, keys in alphabetical order.
    package var json: String { Self.text(fields) }

    /// Reads the text of a state; `nil` if it is not one of this kind, or one that no flow writes.
    package init?(_ kind: FlowKind, json: String) {
        // A state without fields would accept any object.
        guard json.first == "{" else { return nil }
        do {
            self =
                switch kind {
                case .setup: .setup(try Self.state(json))
                case .backup: .backup(try Self.state(json))
                case .changeCVC: .changeCVC(try Self.state(json))
                case .derive: .derive(try Self.state(json))
                case .unseal: .unseal(try Self.state(json))
                case .nextSlot: .nextSlot(try Self.state(json))
                case .sign: .sign(try Self.state(json))
                }
        } catch { return nil }
        guard isPlausible else { return nil }
    }

    private var isPlausible: Bool {
        switch self {
        case .setup(let state):
            state.path.map(Self.isCardPath) ?? true
        case .backup, .changeCVC: true
        case .derive(let state): Self.isCardPath(state.from) && Self.isCardPath(state.to)
        case .unseal(let state): Self.slots.contains(state.slotIndex)
        case .nextSlot(let state): Self.slots.contains(state.slotIndex)
        case .sign(let state): Self.isCardPath(state.ownPath)
        }
    }

    private static let slots = 0..<256

    /// Whether a card can be moved to a path. No flow writes any other, and if someone else did, moving there would
    /// fail forever.
    private static func isCardPath(_ path: DerivationPath) -> Bool { CardPath(path)?.subpath.steps.isEmpty == true }

    // States have strings, integers and booleans, which can always be encoded.
    private static func text(_ state: some Encodable) -> String {
        (try? JSONDocument.text(state, keys: .asNamed)) ?? "{}"
    }

    private static func state<State: Decodable>(_ text: String) throws -> State {
        try JSONDocument.value(of: text.utf8)
    }
}

import TapManager
import TapProtocol

extension Failure {
    /// What a flow ended with. Of a CVC that was wrong, it is said where the other of two may be the right one.
    /// - Parameter card: the card; `nil` when it was none in particular.
    init(_ error: FlowError, of card: CardIdent?, _ options: GlobalOptions) {
        self.init(error)
        guard case .card(.wrongCVC) = error, let card, Self.isCVCInDoubt(of: card, options) else { return }
        self = hinting(
            "An earlier change of the CVC was interrupted, so the card may have the other one: "
                + "tapkit change-cvc finds out.")
    }

    /// Whether the local store says that either of two CVCs may hold.
    private static func isCVCInDoubt(of card: CardIdent, _ options: GlobalOptions) -> Bool {
        guard let flows = try? options.existingStore()?.flows(of: card) else { return false }
        return flows.contains { $0.state.kind == .changeCVC }
    }
}

import Bitcoin
import TapManager

/// Which card a method uses, where it is looked for, for how long, and who is asked for its CVC.
struct CardArguments: Sendable {
    static let card = Parameter.text("card", "Only a card whose ident contains this text.")
    static let reader = Parameter.text(
        "reader",
        "Only this reader, by its `spec`. Tasks at different readers run at once; without it, a task has all readers.")
    static let wait = Parameter.number(
        "wait_s", 0...3_600, "How long to wait for a card and for its return, in seconds; 0, the default: not at all.")
    static let asks = Parameter.word(
        "asks", CallInteraction.Side.allCases.map(\.rawValue),
        "Who asks for the yes and for CVCs: desk, the default: pinentry at this machine; client: the calling program, "
            + "which is sent interaction.confirm, interaction.cvc, interaction.new_cvc and interaction.backup_key; "
            + "both: the program for the yes, pinentry for the CVC, for the page of tapkit ui only.")
    static let parameters: [any ParameterDescription] = [card, reader, wait, asks]

    let choice: CardChoice
    let reader: String?
    let patience: Patience?
    let asks: CallInteraction.Side

    init(_ arguments: Arguments) throws(RPCFault) {
        choice = try arguments.optional(Self.card).map { .identContaining($0) } ?? .any
        reader = try arguments.optional(Self.reader)
        let seconds = try arguments.optional(Self.wait) ?? 0
        patience = seconds == 0 ? nil : .limited(.seconds(seconds))
        asks = try arguments.optional(Self.asks).flatMap { CallInteraction.Side(rawValue: $0) } ?? .desk
        // Another program could agree to warnings, and leave the person a question for the CVC that does not show them.
        guard asks != .both || arguments.trust == .page else {
            throw RPCFault(.invalidParams, "Only the page of tapkit ui can call with asks: both.")
        }
    }
}

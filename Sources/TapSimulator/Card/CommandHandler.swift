import ByteCodec

/// The card's side of one command: one type in `Handlers/`, registered in `CommandTable`.
protocol CommandHandler: Sendable {
    /// The command's name on the wire.
    static var name: String { get }

    /// The products that support the command.
    static var products: Set<SimulatedProduct> { get }

    /// Whether a product needs the CVC.
    static func authentication(on product: SimulatedProduct) -> AuthenticationNeed

    /// When the card picks its next nonce.
    static var nonceRule: NonceRule { get }

    /// Runs the command. Changes the card's state last, when nothing can fail any more.
    /// - Parameters:
    ///   - request: the arguments, not yet checked.
    ///   - session: the session key, if the request came with the right CVC.
    ///   - card: the card; `card.nonce` is still the one that the host knows.
    /// - Returns: the response without `card_nonce`, which the dispatcher adds.
    static func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore
    ) throws(CardFault) -> CBORMap
}

extension CommandHandler {
    static var products: Set<SimulatedProduct> { Set(SimulatedProduct.allCases) }

    static func authentication(on product: SimulatedProduct) -> AuthenticationNeed { .none }

    static var nonceRule: NonceRule { .renews }
}

/// Whether a command needs the CVC.
enum AuthenticationNeed: Sendable {
    /// CVC fields are ignored.
    case none
    /// Without CVC fields the command returns less; a wrong CVC is an error.
    case optional
    /// Without a CVC: 403.
    case required
}

/// When the card picks its next nonce.
enum NonceRule: Sendable {
    /// Not with this command; its response has no `card_nonce`.
    case keeps
    /// When the command succeeds; the response has it. Applet 0.9.0: also when it fails.
    case renews
}

/// All commands of all cards.
enum CommandTable {
    static let handlers: [any CommandHandler.Type] = [
        StatusHandler.self, CertsHandler.self, CheckHandler.self, NewHandler.self, ReadHandler.self,
        DeriveHandler.self, XpubHandler.self, BackupHandler.self, ChangeHandler.self, SignHandler.self,
        WaitHandler.self, NFCHandler.self, UnsealHandler.self, DumpHandler.self,
    ]

    /// The handler of a command, if the product supports it.
    static func handler(named name: String, on product: SimulatedProduct) -> (any CommandHandler.Type)? {
        handlers.first { $0.name == name && $0.products.contains(product) }
    }
}

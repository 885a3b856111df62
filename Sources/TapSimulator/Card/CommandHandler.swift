import ByteCodec

/// The card's side of one command: one type in `Handlers/`, registered in `CommandTable`.
protocol CommandHandler: Sendable {
    /// The command's name on the wire.
    static var name: String { get }

    /// The products that know the command.
    static var products: Set<SimulatedProduct> { get }

    /// Whether a product wants the CVC.
    static func authentication(on product: SimulatedProduct) -> AuthenticationNeed

    /// When the card picks its next nonce.
    static var nonceRule: NonceRule { get }

    /// Carries the command out. Changes the card's state last, when nothing can fail any more.
    /// - Parameters:
    ///   - request: the arguments, not yet looked at.
    ///   - session: the session key, when a right CVC came with the request.
    ///   - card: the card; `card.nonce` is still the one that the app knows.
    /// - Returns: the answer without `card_nonce`, which the dispatcher adds.
    static func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore
    ) throws(CardFault) -> CBORMap
}

extension CommandHandler {
    static var products: Set<SimulatedProduct> { Set(SimulatedProduct.allCases) }

    static func authentication(on product: SimulatedProduct) -> AuthenticationNeed { .none }

    static var nonceRule: NonceRule { .renews }
}

/// Whether a command wants the CVC.
enum AuthenticationNeed: Sendable {
    /// CVC fields are ignored.
    case none
    /// Without CVC fields the command says less; a wrong CVC is an error.
    case optional
    /// Without a CVC: 403.
    case required
}

/// When the card picks its next nonce.
enum NonceRule: Sendable {
    /// Not by this command; its answer has no `card_nonce`.
    case keeps
    /// When the command succeeds; the answer has it. Applet 0.9.0: when it fails, too.
    case renews
}

/// Every command that any card knows.
enum CommandTable {
    static let handlers: [any CommandHandler.Type] = [
        StatusHandler.self, CertsHandler.self, CheckHandler.self, NewHandler.self, ReadHandler.self,
        DeriveHandler.self, XpubHandler.self, BackupHandler.self, ChangeHandler.self, SignHandler.self,
        WaitHandler.self, NFCHandler.self, UnsealHandler.self, DumpHandler.self,
    ]

    /// The handler of a command, if the product knows it.
    static func handler(named name: String, on product: SimulatedProduct) -> (any CommandHandler.Type)? {
        handlers.first { $0.name == name && $0.products.contains(product) }
    }
}

import ByteCodec

/// A card command: what is sent, what comes back, and what in the response is proven.
///
/// A new command is one file in `Commands/`; `TapSession.send` is the only path to the card.
protocol TapCommand {
    /// The content of the response, once verified.
    associatedtype Response

    /// The command's name on the wire (`cmd`).
    static var name: String { get }

    /// The products that have the command.
    static var products: Set<CardProduct> { get }

    /// Whether the request carries a nonce of ours, which the card then signs.
    static var usesAppNonce: Bool { get }

    /// Whether the response carries the nonce for the next command in every version.
    static var answersWithNonce: Bool { get }

    /// Whether the card picks a new nonce even if it refuses.
    static var alwaysChangesNonce: Bool { get }

    /// Whether the command may be sent without a CVC and with a card nonce that another program may have used up. If
    /// so, its proof fails, and it is sent again after a `status`. Allowed only for commands that change nothing; saves
    /// one `status` in each step that begins with such a command.
    static var maySendUncheckedNonce: Bool { get }

    /// Whether the command needs a CVC for this product.
    static func authentication(for product: CardProduct) -> Authentication

    /// The arguments except `nonce`, `epubkey`, `xcvc` and `cmd`, which `send` adds.
    func arguments(in exchange: Exchange) -> CBORMap

    /// Parses the response.
    /// - Throws: `TapError.badResponse`; `.badProof` if a field makes sense only as a proof.
    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> Response

    /// Checks every proof that the response carries.
    /// - Throws: `TapError.badProof`.
    func verify(_ response: Response, in exchange: Exchange) throws(TapError)
}

/// Whether a command needs a CVC.
enum Authentication {
    /// It is never sent.
    case none
    /// It is sent if given.
    case optional
    /// The card refuses the command without it.
    case required
}

extension TapCommand {
    static var products: Set<CardProduct> { Set(CardProduct.allCases) }
    static var usesAppNonce: Bool { false }
    static var answersWithNonce: Bool { true }
    static var alwaysChangesNonce: Bool { false }
    static var maySendUncheckedNonce: Bool { false }
    func arguments(in exchange: Exchange) -> CBORMap { [:] }
    func verify(_ response: Response, in exchange: Exchange) throws(TapError) {}

    /// The error for an argument that no card would accept.
    static func invalid(_ problem: String) -> TapError { .invalidArgument(command: name, problem: problem) }
}

import ByteCodec

/// A card command: what is sent, what comes back, and what of the answer is proven.
///
/// A new command is one file in `Commands/`; `TapSession.send` is the one way to the card.
protocol TapCommand {
    /// What the answer says, once verified.
    associatedtype Response

    /// The command's name on the wire (`cmd`).
    static var name: String { get }

    /// The products that have the command.
    static var products: Set<CardProduct> { get }

    /// Whether the request carries a nonce of ours, which the card then signs.
    static var usesAppNonce: Bool { get }

    /// Whether every version's answer brings the nonce for the next command.
    static var answersWithNonce: Bool { get }

    /// Whether the card picks a new nonce even when it refuses.
    static var alwaysChangesNonce: Bool { get }

    /// Whether the command may be sent without a CVC and with a card nonce that another program may have used up since.
    /// Its proof then fails, and it is sent once more after a `status`. Allowed only for commands that change nothing;
    /// saves one `status` for each step of a flow that begins with one.
    static var maySendUncheckedNonce: Bool { get }

    /// Whether the command wants a CVC from this product.
    static func authentication(for product: CardProduct) -> Authentication

    /// The arguments but for `nonce`, `epubkey`, `xcvc` and `cmd`, which `send` adds.
    func arguments(in exchange: Exchange) -> CBORMap

    /// Reads the answer.
    /// - Throws: `TapError.badResponse`; `.badProof` where a field makes sense only as a proof.
    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> Response

    /// Checks every proof that the answer carries.
    /// - Throws: `TapError.badProof`.
    func verify(_ response: Response, in exchange: Exchange) throws(TapError)
}

/// Whether a command wants a CVC.
enum Authentication {
    /// It is never sent.
    case none
    /// It is sent when given.
    case optional
    /// The card refuses the command without.
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

    /// The error for an argument that no card would take.
    static func invalid(_ problem: String) -> TapError { .invalidArgument(command: name, problem: problem) }
}

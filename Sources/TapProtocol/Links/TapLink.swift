import Bitcoin

/// A tap link whose signature was verified: what a card said of itself when it was tapped.
///
/// Proven: whoever held the key of the address or ident in the link said all of it, once. Not proven: when that was (a
/// link can be shown again for ever, and its state may be long past), nor that the key is in a card of the maker's.
/// The host is not signed, so SATSCHIP and TAPSIGNER are told apart by the link's word alone.
///
/// Spec: protocol, "Tap link".
public struct TapLink: Hashable, Sendable {
    /// The longest text in which a link is looked for, in UTF-8 bytes.
    public static let maximumTextLength = 65_536

    /// What the card says of its slot or of itself.
    public enum State: String, Sendable, CaseIterable {
        /// SATSCARD: the slot's key was never shown. TAPSIGNER, SATSCHIP: the card has a key.
        case sealed
        /// SATSCARD: the slot's key can be read with the CVC.
        case unsealed
        /// TAPSIGNER, SATSCHIP: the card has no key yet.
        case unused
        /// The card says that something is wrong with it, such as tampering.
        case error
    }

    /// Whom or what the link is about.
    public enum Subject: Hashable, Sendable {
        /// A SATSCARD's slot and its address, on the main or the test network.
        case slot(SlotNumber, address: Address)
        /// A TAPSIGNER or SATSCHIP.
        case card(CardIdent)
    }

    /// The product that the link's host names.
    public let product: CardProduct
    /// The state that the card signed.
    public let state: State
    /// Whom or what it is about.
    public let subject: Subject
    /// The key that signed: the slot's, or the card's own.
    public let publicKey: PublicKey
    /// The card's nonce, 8 bytes, new with every tap.
    public let nonce: [UInt8]
    /// The link as a card writes it, without what stood around it.
    public let text: String

    /// SATSCARD: the slot that was active when the link was made; `nil` for the other products.
    public var slot: SlotNumber? {
        if case .slot(let number, _) = subject { number } else { nil }
    }

    /// SATSCARD: the slot's P2WPKH address.
    public var address: Address? {
        if case .slot(_, let address) = subject { address } else { nil }
    }

    /// TAPSIGNER, SATSCHIP: the card's ident.
    public var ident: CardIdent? {
        if case .card(let ident) = subject { ident } else { nil }
    }

    /// Finds the one link in a text and verifies it.
    ///
    /// Taken: white space, quotes, brackets, sentences and punctuation around the link, line breaks in it, the same link
    /// more than once; `http`, no scheme, `www.`, and a host in upper case. The fragment must be as cards write it. Its
    /// fields may stand in any order, as the maker says, but the signature, which comes last, is over that order.
    ///
    /// A signature with high S is taken as well as its twin: the maker's cards make both, and both give the same keys.
    /// - Throws: `TapLinkError`.
    public init(verifying text: String) throws(TapLinkError) {
        guard text.utf8.count <= Self.maximumTextLength else { throw .tooLong }
        let links = LinkFinder.links(in: text)
        guard let link = links.first else {
            guard let host = LinkFinder.foreignHost(in: text) else { throw .noLink }
            throw .unknownHost(host)
        }
        guard links.count == 1 else { throw .severalLinks }
        product = link.host.product
        guard !link.fragment.isEmpty else { throw .nothingSigned(product) }
        let fields = try LinkFields(link.fragment, product: product)
        (publicKey, subject) = try Self.proof(of: fields)
        state = fields.state
        nonce = fields.nonce
        self.text = "https://" + link.host.rawValue + LinkHost.path + link.fragment
    }
}

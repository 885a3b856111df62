import Bitcoin

/// A tap link whose signature was verified: what a card reported about itself when it was tapped.
///
/// Proven: the holder of the key behind the link's address or ident once made this statement. Not proven: when that was
/// (an old link can be shown forever, and its state may be long outdated), or that the key is in a genuine card. The
/// host is not signed, so only the link's word distinguishes a SATSCHIP from a TAPSIGNER.
///
/// Spec: protocol, "Tap link".
public struct TapLink: Hashable, Sendable {
    /// The longest text that is searched for a link, in UTF-8 bytes.
    public static let maximumTextLength = 65_536

    /// What the card reports about its slot or itself.
    public enum State: String, Sendable, CaseIterable {
        /// SATSCARD: the slot's key has never been revealed. TAPSIGNER, SATSCHIP: the card has a key.
        case sealed
        /// SATSCARD: the slot's key can be read with the CVC.
        case unsealed
        /// TAPSIGNER, SATSCHIP: the card has no key yet.
        case unused
        /// The card reports that something is wrong, such as tampering.
        case error
    }

    /// What the link is about.
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
    /// What the link is about.
    public let subject: Subject
    /// The key that signed: the slot's, or the card's own.
    public let publicKey: PublicKey
    /// The card's nonce, 8 bytes, new with every tap.
    public let nonce: [UInt8]
    /// The link as a card writes it, without the surrounding text.
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

    /// Finds the only link in a text and verifies it.
    ///
    /// Accepted: white space, quotes, brackets, sentences and punctuation around the link, line breaks in it, and the
    /// same link more than once; `http`, no scheme, `www.`, and an upper-case host. The fragment must be as cards write
    /// it. Its fields may be in any order, as the maker states, except that the signature comes last; it covers that
    /// order.
    ///
    /// A signature with high S is accepted like its low twin: the maker's cards make both, and both yield the same keys.
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

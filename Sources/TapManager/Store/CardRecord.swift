import Bitcoin
import TapProtocol

/// What is remembered about a card. None of it is secret. If a card later contradicts what never changes, or reports a
/// lower version, that is a failed proof.
public struct CardRecord: Sendable, Hashable {
    /// The card's own key, 33 bytes; its ident follows from it.
    package let publicKey: PublicKey
    /// TAPSIGNER, SATSCARD or SATSCHIP, as the card reported when it was proven genuine.
    public let product: CardProduct
    /// Whether it is for the test networks.
    package let isTestnet: Bool
    /// The highest version of its applet that was seen; `nil` if an earlier tapkit remembered the card.
    package var version: AppletVersion?
    /// The master key's fingerprint, 4 bytes; `nil` until the card proved its master key. Anyone can claim a fingerprint:
    /// it finds a card, and proves nothing.
    public package(set) var fingerprint: Fingerprint?
    /// When it was last seen on a reader, by the program's clock.
    package var lastSeen: UnixTime
    /// The user's name for it, as typed. Show it next to the ident, never instead; `nil`: none.
    package var name: String?

    /// The ident is computed from the key.
    /// - Parameters:
    ///   - publicKey: the card's own key, which its certificates are for.
    ///   - fingerprint: of the master key; `nil` for cards without one, or while it is unknown.
    ///   - name: the user's name for it.
    package init(
        publicKey: PublicKey, product: CardProduct, isTestnet: Bool, version: AppletVersion? = nil,
        fingerprint: Fingerprint?, lastSeen: UnixTime, name: String? = nil
    ) {
        self.publicKey = publicKey
        self.product = product
        self.isTestnet = isTestnet
        self.version = version
        self.fingerprint = fingerprint
        self.lastSeen = lastSeen
        self.name = name
    }

    /// What a card reports about itself.
    /// - Parameter fingerprint: the proven master key's, if it is known.
    init(_ status: CardStatus, fingerprint: Fingerprint? = nil, lastSeen: UnixTime) {
        self.init(
            publicKey: status.publicKey, product: status.product, isTestnet: status.isTestnet,
            version: status.appletVersion.isReadable ? status.appletVersion : nil, fingerprint: fingerprint,
            lastSeen: lastSeen)
    }

    /// How long a name may be, in characters.
    package static let maximumNameLength = 40

    /// Whether people can distinguish a name from others, and it cannot be mistaken for anything else when shown in
    /// quotation marks next to the ident: no spaces at its ends, no control characters, no quotation marks.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.count <= maximumNameLength && name.first?.isWhitespace == false
            && name.last?.isWhitespace == false
            && name.unicodeScalars.allSatisfy { scalar in
                ![.control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse]
                    .contains(scalar.properties.generalCategory)
                    && (!scalar.properties.isQuotationMark || ["'", "’"].contains(scalar))
            }
    }

    /// The user's name for the card, if it is valid: someone who can write to the store cannot make it look like anything
    /// else. At most 40 characters; show it next to the ident, never instead.
    public var shownName: String? { name.flatMap { Self.isName($0) ? $0 : nil } }

    /// The card's ident, as printed on its back.
    public var ident: CardIdent { CardIdent(of: publicKey) }

    /// This record, completed with what an earlier one has and this one lacks, and with the higher of both versions.
    func completed(by earlier: CardRecord?) -> CardRecord {
        var record = self
        record.fingerprint = fingerprint ?? earlier?.fingerprint
        record.name = name ?? earlier?.name
        record.version = [version, earlier?.version].compactMap(\.self).max()
        return record
    }
}

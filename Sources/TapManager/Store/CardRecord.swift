import Bitcoin
import TapProtocol

/// What is remembered of a card. Nothing of it is secret. A card that later says otherwise of what never changes, or names a
/// lower version, has failed a proof.
public struct CardRecord: Sendable, Hashable {
    /// The card's own key, 33 bytes; its ident follows from it.
    package let publicKey: PublicKey
    /// TAPSIGNER, SATSCARD or SATSCHIP, as the card said when it was genuine.
    public let product: CardProduct
    /// Whether it is one for the test networks.
    package let isTestnet: Bool
    /// The highest version of its applet that was seen; `nil` when an earlier tapkit remembered the card.
    package var version: AppletVersion?
    /// The master key's fingerprint; `nil` until the card proved its master key.
    package var fingerprint: Fingerprint?
    /// When it was seen last.
    public var lastSeen: UnixTime
    /// What a person called it, as it was typed: beside the ident, never in its place; `nil`: nothing.
    package var name: String?

    /// The ident is that of the key.
    /// - Parameters:
    ///   - publicKey: the card's own key, which its certificates are for.
    ///   - fingerprint: of the master key; `nil` for cards without one, or while it is not known.
    ///   - name: what a person called it.
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

    /// What a card says of itself.
    /// - Parameter fingerprint: the proven master key's, if it is known.
    init(_ status: CardStatus, fingerprint: Fingerprint? = nil, lastSeen: UnixTime) {
        self.init(
            publicKey: status.publicKey, product: status.product, isTestnet: status.isTestnet,
            version: status.appletVersion.isReadable ? status.appletVersion : nil, fingerprint: fingerprint,
            lastSeen: lastSeen)
    }

    /// How long a name may be, in characters.
    package static let maximumNameLength = 40

    /// Whether people can tell a name from others, and it cannot be mistaken for anything else where it stands in quotation marks
    /// beside the ident: no spaces around it, no control characters, no quotation marks.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.count <= maximumNameLength && name.first?.isWhitespace == false
            && name.last?.isWhitespace == false
            && name.unicodeScalars.allSatisfy { scalar in
                ![.control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse]
                    .contains(scalar.properties.generalCategory)
                    && (!scalar.properties.isQuotationMark || ["'", "’"].contains(scalar))
            }
    }

    /// The name, if it is one: whoever can write the store cannot have it look like anything else.
    package var shownName: String? { name.flatMap { Self.isName($0) ? $0 : nil } }

    /// What the card is called on its back.
    public var ident: CardIdent { CardIdent(of: publicKey) }

    /// This record with what an earlier one knows and this one does not, and the higher of both versions.
    func completed(by earlier: CardRecord?) -> CardRecord {
        var record = self
        record.fingerprint = fingerprint ?? earlier?.fingerprint
        record.name = name ?? earlier?.name
        record.version = [version, earlier?.version].compactMap(\.self).max()
        return record
    }
}

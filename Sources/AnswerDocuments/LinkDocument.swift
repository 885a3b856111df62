import Bitcoin
import ByteCodec
import TapProtocol

/// A verified tap link for programs.
package struct LinkDocument: Encodable {
    let valid = true
    let product: String
    let state: String
    /// Of a TAPSIGNER or SATSCHIP.
    let ident: String?
    /// Of a SATSCARD; counted from 1.
    let slot: Int?
    let address: String?
    let network: String?
    /// The key that signed: the slot's, or the card's own.
    let pubkey: String
    let nonce: String
    /// The link alone.
    let url: String
    /// How a card sent it; `nil` for a link that came without a card.
    let source: String?

    /// - Parameters:
    ///   - address: a SATSCARD's, for the requested network.
    ///   - card: the link as the card sent it; default: in the form that cards use.
    package init(_ link: TapLink, address: Address?, card: CardLink? = nil) {
        product = link.product.rawValue
        state = link.state.rawValue
        ident = link.ident?.description
        slot = link.slot?.forPeople
        self.address = address?.description
        network = address?.network.rawValue
        pubkey = link.publicKey.description
        nonce = Hex.encode(link.nonce)
        url = card?.url ?? link.text
        source = card?.source.rawValue
    }
}

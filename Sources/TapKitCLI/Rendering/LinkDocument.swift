import Bitcoin
import ByteCodec
import TapProtocol

/// A verified tap link for programs.
struct LinkDocument: Encodable {
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
    /// Where a card gave it; `nil` for a link that came without one.
    let source: String?

    /// - Parameters:
    ///   - address: a SATSCARD's, for the network that was asked for.
    ///   - card: the link as a card gave it; default: as cards write it.
    init(_ link: TapLink, address: Address?, card: CardLink? = nil) {
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

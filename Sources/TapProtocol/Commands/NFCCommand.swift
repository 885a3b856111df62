/// `nfc`: the link that the card shows to a telephone.
///
/// Verified: printable ASCII, at most 255 characters. The link's own signature is not looked at here.
///
/// Spec: protocol, "Commands" and "Tap link".
struct NFCCommand: TapCommand {
    static let name = "nfc"
    static let answersWithNonce = false

    static func authentication(for product: CardProduct) -> Authentication { .none }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> String {
        let url = try fields.text("url", maximumLength: 255)
        guard !url.isEmpty, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw fields.bad("url", "is no printable ASCII text")
        }
        return url
    }
}

/// `nfc`: the link that the card shows to a phone.
///
/// Verified: printable ASCII, at most 1 024 characters. The link's own signature is not checked here.
///
/// Spec: protocol, "Commands" and "Tap link".
struct NFCCommand: TapCommand {
    static let name = "nfc"
    static let answersWithNonce = false

    /// The longest link accepted; links of real cards have less than 200 characters.
    static let longestURL = 1_024
    /// The longest link that the protocol allows.
    private static let usualURL = 255

    static func authentication(for product: CardProduct) -> Authentication { .none }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> String {
        let url = try fields.text("url", maximumLength: Self.longestURL)
        guard !url.isEmpty, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw fields.bad("url", "is not printable ASCII text")
        }
        if url.utf8.count > Self.usualURL { fields.note("`url` has \(url.utf8.count) characters") }
        return url
    }
}

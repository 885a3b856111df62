/// The cards, CVC and store that a call names; the host provides the rest.
package struct HWIPlaces: Sendable, Equatable {
    /// A reader, as `enumerate` lists it; if this is `nil` or not a reader, `reader` is used.
    package let devicePath: String?
    /// Where to look for cards.
    package let reader: String?
    /// Part of the ident of the card to use.
    package let card: String?
    /// The file with the CVC.
    package let cvcFile: String?
    /// The folder of the local store.
    package let dataFolder: String?
    /// Additional factory roots to accept, in hexadecimal.
    package let rootKeys: [String]
    /// Whether every exchange with a card is shown.
    package let isTracing: Bool
}

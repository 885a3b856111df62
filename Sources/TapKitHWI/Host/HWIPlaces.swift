/// Where a call says that cards, CVC and store are; what it does not say, its host knows.
package struct HWIPlaces: Sendable, Equatable {
    /// A reader, as `enumerate` names it; `nil`, or something that is none: `reader` counts.
    package let devicePath: String?
    /// Where to look for cards.
    package let reader: String?
    /// A part of the ident of the only card that is meant.
    package let card: String?
    /// The file with the CVC.
    package let cvcFile: String?
    /// The folder of the local store.
    package let dataFolder: String?
    /// Factory roots that are accepted besides, in hexadecimal.
    package let rootKeys: [String]
    /// Whether every exchange with a card is told.
    package let isTracing: Bool
}

/// A name that a wallet may have: people can distinguish it from others, and programs can write it. Whether another wallet
/// has it is up to the store.
package struct WalletName: Sendable, Hashable, CustomStringConvertible {
    /// The most characters, as people count them.
    private static let maximumLength = 64

    /// The name, as given.
    package let description: String

    /// Reads a name: 1 to 64 characters, no spaces at its ends, no control characters, and nothing like an option.
    /// - Throws: `WalletError.badName`.
    package init(parsing text: String) throws(WalletError) {
        guard !text.isEmpty, text.count <= Self.maximumLength, !text.hasPrefix("-"), text.first != " ",
            text.last != " ", text.unicodeScalars.allSatisfy(Self.isVisible)
        else { throw .badName(text) }
        description = text
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        ![.control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse]
            .contains(scalar.properties.generalCategory)
    }
}

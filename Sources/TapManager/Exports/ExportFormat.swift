/// What other programs import, by the names that people know.
package enum ExportFormat: String, CaseIterable, Sendable {
    /// Output descriptors with origin and checksum, one a line.
    case descriptors
    /// The argument of Bitcoin Core's `importdescriptors`.
    case core
    /// Sparrow's text file.
    case sparrow
    /// An Electrum wallet file.
    case electrum
    /// COLDCARD's generic JSON.
    case coldcard
    /// Specter's wallet file.
    case specter
    /// The key with the version bytes of its type of address.
    case slip132
    /// The key as a coordinator wants it of a cosigner.
    case cosigner
    /// COLDCARD's text file of a multisig wallet.
    case coldcardMultisig = "coldcard-multisig"
    /// BIP-129: a card's signed key record, or a wallet's descriptor record.
    case bsms

    /// Whether the file is JSON.
    package var isJSON: Bool { [.core, .electrum, .coldcard, .specter].contains(self) }

    /// Whether a card's account can be told in it.
    package var isOfCards: Bool { self != .coldcardMultisig }

    /// Whether a wallet of the store can be told in it.
    package var isOfWallets: Bool { self != .coldcard && self != .cosigner }

    /// Whether the card's path alone says what is told, and no kind of addresses can be chosen.
    package var goesByPath: Bool { [.coldcard, .cosigner, .bsms].contains(self) }

    /// Whether it has one kind of addresses, so that of a card at a path that stands for none it must be said which.
    var needsOneKind: Bool { [.sparrow, .electrum, .specter].contains(self) }
}

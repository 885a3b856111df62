/// Formats that other programs import, by their usual names.
public enum ExportFormat: String, CaseIterable, Sendable {
    /// Output descriptors with origin and checksum, one on each line.
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
    /// The key in the form that coordinators expect from a cosigner.
    case cosigner
    /// COLDCARD's text file of a multisig wallet.
    case coldcardMultisig = "coldcard-multisig"
    /// BIP-129: a card's signed key record, or a wallet's descriptor record.
    case bsms
    /// The descriptor of a wallet that Liana can have.
    case liana

    /// Whether the file is JSON.
    package var isJSON: Bool { [.core, .electrum, .coldcard, .specter].contains(self) }

    /// Whether a card's account can be exported in it.
    package var isOfCards: Bool { self != .coldcardMultisig && self != .liana }

    /// Whether a stored wallet can be exported in it.
    package var isOfWallets: Bool { self != .coldcard && self != .cosigner }

    /// Whether only the card's path determines what is exported, and no kind of addresses can be chosen.
    package var goesByPath: Bool { [.coldcard, .cosigner, .bsms].contains(self) }

    /// Whether it has one kind of addresses, which must be chosen if the card's path implies none.
    var needsOneKind: Bool { [.sparrow, .electrum, .specter].contains(self) }
}

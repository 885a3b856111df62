/// What an error is about, so that a front end can point at it.
public enum ErrorSubject: Sendable, Hashable {
    /// A transaction's input, by its index, from 0.
    case input(Int)
    /// A reader, by the name that selects it.
    case reader(String)
    /// A card, by its ident.
    case card(String)
    /// A kind of card, by the name printed on the card.
    case product(String)
    /// What is stored about a card that was seen before.
    case memory
    /// A SATSCARD's slot, by its number from 1.
    case slot(Int)
    /// A file or folder, by its path.
    case file(String)
    /// The lockout of a card after wrong CVCs, in seconds.
    case lockout(Int)
    /// An encrypted backup.
    case backup
    /// The local store, by the path of its file or folder.
    case store(String)
    /// A wallet, by its name.
    case wallet(String)
    /// A transaction, by its id: 64 lower-case hexadecimal digits.
    case transaction(String)
    /// A stored, signed sweep, by its transaction's id.
    case sweep(String)
    /// A coin, by its outpoint: transaction id, colon, output index.
    case coin(String)
    /// A derivation path.
    case path(String)
    /// A fee rate, in satoshis per virtual byte.
    case feeRate(String)
    /// A chain server, by its name.
    case server(String)
    /// Something that the caller chose, or could have chosen.
    case choice(Choice)

    /// What can be chosen other than files, cards and wallets, which have names.
    public enum Choice: Sendable, Hashable, CaseIterable {
        /// The chain code of a new key.
        case chainCode
        /// The format of a signed message.
        case messageFormat
        /// The kind of addresses of a wallet.
        case addressType
        /// The description in an exported file.
        case exportDescription
        /// Which coins may be spent.
        case coins
        /// Which of a SATSCARD's slots.
        case slots
        /// Which of a wallet's addresses.
        case addressIndex
        /// The network.
        case network
        /// How long to wait for a reader or a card.
        case patience
        /// What decrypts an encrypted record.
        case recordToken
        /// A tap link, as copied.
        case link
    }
}

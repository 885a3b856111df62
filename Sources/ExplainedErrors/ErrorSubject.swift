/// What an error is about, so that a front end can point at it.
///
/// What has a type of its own in a layer above is carried as a value of that type, and matched by it:
/// `case .transaction(let id as TransactionID)`.
public enum ErrorSubject: Sendable {
    /// A transaction's input, by its index, from 0.
    case input(Int)
    /// A reader, or the readers of one kind.
    case reader(Reader)
    /// A card: its `CardIdent`.
    case card(any ErrorSubjectValue)
    /// A kind of card: a `CardProduct`.
    case product(any ErrorSubjectValue)
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
    /// A transaction: its `TransactionID`.
    case transaction(any ErrorSubjectValue)
    /// A stored, signed sweep: the `TransactionID` of its transaction.
    case sweep(any ErrorSubjectValue)
    /// A coin: its `Outpoint`.
    case coin(any ErrorSubjectValue)
    /// A `DerivationPath`.
    case path(any ErrorSubjectValue)
    /// A `FeeRate`.
    case feeRate(any ErrorSubjectValue)
    /// A chain server, by its name.
    case server(String)
    /// Something that the caller chose, or could have chosen.
    case choice(Choice)

    /// How a reader was asked for. Names begin with the reader's kind and a colon, as a reader's `spec` does.
    public enum Reader: Sendable, Hashable {
        /// The service that all readers of a kind belong to.
        case service
        /// The same service, which is not installed.
        case missingService
        /// The same service, which runs, and does not answer.
        case silentService
        /// A serial port that a reader should be on, by its path.
        case port(String)
        /// The reader with this name.
        case named(String)
        /// A name that no attached reader has.
        case unlisted(String)
        /// No name, though such readers are found only by name; an example of one.
        case unnamed(example: String)
    }

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
        /// Which of the stored transactions.
        case transaction
        /// The network.
        case network
        /// How long to wait for a reader or a card.
        case patience
        /// What decrypts an encrypted record.
        case recordToken
        /// A tap link, as copied.
        case link
        /// Whether an existing file may be replaced.
        case overwriting
    }
}

/// A value that an error can be about: a transaction's id, a path, …. Only the layer that has the type knows more.
public protocol ErrorSubjectValue: Sendable, Hashable {}

extension ErrorSubject: Hashable {
    /// Whether both are the same kind of thing, and the same value.
    public static func == (one: ErrorSubject, other: ErrorSubject) -> Bool { one.identity == other.identity }

    /// Hashes the kind of thing, and the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

    private var identity: [AnyHashable] {
        switch self {
        case .input(let index): ["input", index]
        case .reader(let reader): ["reader", reader]
        case .card(let ident): ["card", AnyHashable(ident)]
        case .product(let product): ["product", AnyHashable(product)]
        case .memory: ["memory"]
        case .slot(let number): ["slot", number]
        case .file(let path): ["file", path]
        case .lockout(let seconds): ["lockout", seconds]
        case .backup: ["backup"]
        case .store(let path): ["store", path]
        case .wallet(let name): ["wallet", name]
        case .transaction(let id): ["transaction", AnyHashable(id)]
        case .sweep(let id): ["sweep", AnyHashable(id)]
        case .coin(let outpoint): ["coin", AnyHashable(outpoint)]
        case .path(let path): ["path", AnyHashable(path)]
        case .feeRate(let rate): ["fee rate", AnyHashable(rate)]
        case .server(let name): ["server", name]
        case .choice(let choice): ["choice", choice]
        }
    }
}

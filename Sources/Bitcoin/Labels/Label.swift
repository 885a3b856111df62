/// A label of something on the chain: one line of a label file.
///
/// Spec: BIP-329.
public struct Label: Hashable, Sendable {
    /// What can be labelled. The raw values are those of `type`.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A transaction, by its id.
        case transaction = "tx"
        /// An address.
        case address = "addr"
        /// A public key in hexadecimal: 33 or 65 bytes, or 32 for an x coordinate.
        case publicKey = "pubkey"
        /// An input of a transaction: the transaction's id, a colon and the number.
        case input
        /// An output of a transaction: the transaction's id, a colon and the number.
        case output
        /// An extended public key.
        case extendedKey = "xpub"
        /// A silent payment scanning key.
        case silentPaymentScan = "spscan"
    }

    /// A field that this program preserves but does not use: `height`, `time`, `fee`, `value`, `rate`, `keypath`, `fmv`,
    /// `heights`, and any other.
    public struct Field: Hashable, Sendable {
        /// The field's name.
        public let name: String
        /// Its value as JSON text, with every digit and space.
        public let json: String
    }

    /// What is labelled.
    public let kind: Kind
    /// Which one: transaction id, address, key, or outpoint.
    public let reference: String
    /// The label's text; empty when the line only states other facts.
    public let text: String
    /// Transactions: the abbreviated descriptor of the wallet, such as `wpkh([d34db33f/84h/0h/0h])`; `nil`: not given.
    public let origin: String?
    /// Outputs: whether they may be spent; `nil`: not given.
    public let isSpendable: Bool?
    /// The line's other fields, in order.
    public let otherFields: [Field]

    /// A label. Whether `reference` fits `kind` is checked only when a line is read.
    public init(
        _ kind: Kind, _ reference: String, text: String, origin: String? = nil, isSpendable: Bool? = nil,
        otherFields: [Field] = []
    ) {
        self.kind = kind
        self.reference = reference
        self.text = text
        self.origin = origin
        self.isSpendable = isSpendable
        self.otherFields = otherFields
    }
}

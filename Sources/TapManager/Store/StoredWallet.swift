import Bitcoin

/// A watch-only wallet: descriptors with a name.
public struct StoredWallet: Sendable, Hashable {
    /// Its name, unique in the store.
    public let name: String
    /// The network on which its addresses are written and its server is asked.
    public let network: Network
    /// Output descriptors with public keys only, in the given order.
    public var descriptors: [DescriptorText]
    /// When it was added.
    package let created: UnixTime
    /// What cards signed when it was registered with them, at most one for each account.
    package var registrations: [StoredRegistration]
    /// Its kit for heirs, and when spending with it was last rehearsed.
    package var drill: WalletDrill

    /// - Parameters:
    ///   - name: unique in the store.
    ///   - descriptors: first the one for receive addresses; not checked here, see `WalletDraft`.
    package init(
        name: String, network: Network, descriptors: [DescriptorText], created: UnixTime,
        registrations: [StoredRegistration] = [], drill: WalletDrill = WalletDrill()
    ) {
        self.registrations = registrations
        self.drill = drill
        self.name = name
        self.network = network
        self.descriptors = descriptors
        self.created = created
    }
}

/// A label of something on the chain.
///
/// Spec: BIP-329.
package struct StoredLabel: Sendable, Hashable {
    /// `tx`, `addr`, `pubkey`, `input`, `output` or `xpub`.
    package let type: String
    /// What is labelled, in the form that its type requires.
    package let reference: String
    /// The label; empty: none, only the other properties.
    package let label: String
    /// Outputs: whether they may be spent; `nil`: not given.
    package let isSpendable: Bool?
    /// Transactions: the abbreviated descriptor of the wallet; empty: not given.
    package let origin: String
    /// The whole line of the file that it came from, if it contains more than this; `nil` otherwise.
    package let line: String?

    /// - Parameters:
    ///   - type: as in BIP-329: `tx`, `addr`, `output`, ….
    ///   - origin: the abbreviated descriptor that distinguishes wallets; empty: none.
    ///   - line: the line of the label file, if it contains more than is stored here.
    package init(
        type: String, reference: String, label: String, isSpendable: Bool? = nil, origin: String = "",
        line: String? = nil
    ) {
        self.line = line
        self.type = type
        self.reference = reference
        self.label = label
        self.isSpendable = isSpendable
        self.origin = origin
    }

    /// The same, updated with what another one for the same thing contains.
    func updated(by other: StoredLabel) -> StoredLabel {
        StoredLabel(
            type: type, reference: reference, label: other.label.isEmpty ? label : other.label,
            isSpendable: other.isSpendable ?? isSpendable, origin: origin, line: other.line ?? line)
    }
}

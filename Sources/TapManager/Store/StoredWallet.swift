import Bitcoin

/// A watch-only wallet: descriptors under a name.
public struct StoredWallet: Sendable, Hashable {
    /// Its name, unique in the store.
    public let name: String
    /// The network it is for.
    public let network: Network
    /// Output descriptors with public keys only, with checksums, in the order they were given.
    public var descriptors: [String]
    /// When it was added.
    package let created: UnixTime

    /// - Parameters:
    ///   - name: what people call it; the store has each name once.
    ///   - descriptors: with checksum, the first one that of addresses to give away; not checked here, see `WalletDraft`.
    package init(name: String, network: Network, descriptors: [String], created: UnixTime) {
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
    /// What is labelled, in the form that its type asks for.
    package let reference: String
    /// The label; empty: none, only the other facts.
    package let label: String
    /// Outputs: whether they may be spent; `nil`: not said.
    package let isSpendable: Bool?
    /// Transactions: the abbreviated descriptor of the wallet; empty: not said.
    package let origin: String
    /// The whole line of the file that it came from, where that says more than this; `nil`: it says no more.
    package let line: String?

    /// - Parameters:
    ///   - type: as BIP-329 has it: `tx`, `addr`, `output`, ….
    ///   - origin: the abbreviated descriptor that tells wallets apart; empty: none.
    ///   - line: the line of the label file, when it says more than is stored here.
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

    /// The same with what another one about the same thing says.
    func updated(by other: StoredLabel) -> StoredLabel {
        StoredLabel(
            type: type, reference: reference, label: other.label.isEmpty ? label : other.label,
            isSpendable: other.isSpendable ?? isSpendable, origin: origin, line: other.line ?? line)
    }
}

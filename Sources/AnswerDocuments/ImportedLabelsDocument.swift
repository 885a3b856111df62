import Bitcoin
import TapManager
import TextLayout

/// Labels that were stored.
package struct ImportedLabelsDocument: Encodable {
    struct LabelledKey: Encodable {
        /// The master fingerprint of the key's origin; a key without one in hexadecimal.
        let key: String
        let label: String
    }

    struct LabelledPayee: Encodable {
        let address: String
        let label: String
    }

    let name: String
    let imported: Int
    /// Lines with unknown types.
    let ignored: Int
    /// How many belong to this wallet, as far as known.
    let own: Int
    /// Coins that are frozen now, and were not.
    let frozen: [String]
    /// Coins that were frozen, and are no longer.
    let thawed: [String]
    /// Keys of stored wallets that are shown with one of these labels from now on; absent: none.
    let keys: [LabelledKey]?
    /// Keys that were shown with these labels, and no longer are; absent: none.
    let unlabelled: [LabelledKey]?
    /// Addresses of no stored wallet that had another label, or none; absent: none.
    let payees: [LabelledPayee]?

    /// Labels that were stored for a wallet.
    /// - Parameter ignored: how many lines of the file had unknown types.
    package init(_ labels: CardManager.ImportedLabels, for wallet: String, ignored: Int = 0) {
        name = TerminalText.neutralized(wallet)
        (imported, own) = (labels.count, labels.own)
        self.ignored = ignored
        frozen = labels.frozen.map(\.description)
        thawed = labels.thawed.map(\.description)
        keys = Self.labelled(labels.keys)
        unlabelled = Self.labelled(labels.unlabelled)
        let named = labels.payees.map {
            LabelledPayee(address: "\($0.address)", label: TerminalText.neutralized($0.label))
        }
        payees = named.isEmpty ? nil : named
    }

    private static func labelled(_ keys: [SpendingTerms.Key]) -> [LabelledKey]? {
        let keys = keys.compactMap { key in key.label.map { LabelledKey(key: key.text, label: $0) } }
        return keys.isEmpty ? nil : keys
    }
}

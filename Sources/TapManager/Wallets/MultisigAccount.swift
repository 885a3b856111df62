import Bitcoin

/// A wallet of several cards: a number of signatures spends its money.
package struct MultisigAccount: Sendable, Equatable {
    /// The most keys of a `wsh(sortedmulti(…))`. Spec: BIP-383.
    package static let maximumKeyCount = 20

    /// The purpose in the paths of single-key wallets. Spec: BIP-44, 49, 84, 86.
    private static let singleKeyPurposes = [44, 49, 84, 86].compactMap(ChildNumber.hardened)

    /// Whether programs look for a single-key wallet at a path, not for a cosigner's key.
    package static func isForSingleKey(_ path: DerivationPath) -> Bool {
        path.steps.first.map(singleKeyPurposes.contains) ?? false
    }

    /// Whether a path is a cosigner's: no program looks there for a single-key wallet. Spec: BIP-48.
    package static func isForCosigners(_ path: DerivationPath) -> Bool { path.steps.first == MultisigKind.purpose }

    /// Where programs look for a cosigner's key of a `wsh` wallet. Spec: BIP-48.
    package static func usualPath(isTestnet: Bool) -> DerivationPath {
        DerivationPath([48, isTestnet ? 1 : 0, 0, 2].compactMap(ChildNumber.hardened))
    }

    /// How many signatures are needed.
    package let threshold: Int
    /// Each card's account, in the order in which the cards were used; keys in scripts follow BIP-67's order.
    package let accounts: [Account]

    /// A wallet from its parts; `nil` unless 1 ≤ threshold ≤ keys ≤ 20 and all keys differ.
    package init?(threshold: Int, accounts: [Account]) {
        guard threshold >= 1, threshold <= accounts.count, accounts.count <= Self.maximumKeyCount,
            Set(accounts.map(\.key.publicKey.bytes)).count == accounts.count
        else { return nil }
        self.threshold = threshold
        self.accounts = accounts
    }

    /// Receive and change addresses: `wsh(sortedmulti(threshold,…/<0;1>/*,…))`, with checksum.
    ///
    /// Spec: BIP-383, BIP-389, BIP-48 for the usual paths.
    package var descriptor: String {
        let keys = accounts.map { account in
            "\(KeyOrigin(fingerprint: account.masterFingerprint, path: account.path))\(account.key.text)/<0;1>/*"
        }
        let text = "wsh(sortedmulti(\(threshold),\(keys.joined(separator: ","))))"
        // Every character is from the descriptor alphabet, so there always is a checksum.
        return (try? DescriptorChecksum.append(to: text)) ?? text
    }
}

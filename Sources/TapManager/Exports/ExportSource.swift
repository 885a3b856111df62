import Bitcoin

/// What is exported: a wallet, its name for people, and since when it can have money.
package struct ExportSource: Sendable {
    /// What other programs shall call it.
    package let label: String
    /// The wallet as it is watched: its descriptors are what the formats are made of.
    package let wallet: WatchWallet
    /// The block of bitcoin's chain before which nobody can have paid to it; `nil` when unknown, and on test networks.
    package let birthHeight: Int?

    /// A wallet of the store, sound as `WatchWallet.requireSound()` has it: other programs would send their change wherever it
    /// says.
    /// - Parameter birthHeight: of its first transaction, where it is known.
    package init(_ wallet: WatchWallet, birthHeight: Int? = nil) {
        label = wallet.name
        self.wallet = wallet
        self.birthHeight = wallet.network == .main ? birthHeight : nil
    }

    /// A card's account.
    /// - Parameters:
    ///   - kinds: the kinds of addresses, at least one.
    ///   - birthHeight: the block of bitcoin's chain when the card was made, as the card says. Nothing proves it: when it says
    ///     none, or none that a card has had, money is looked for from the beginning.
    /// - Throws: `WalletError` only for keys that no address can be derived from (chance below 2⁻¹²⁷).
    package init(
        _ account: Account, kinds: [ScriptKind], label: String, network: Network, birthHeight: Int?
    ) throws(WalletError) {
        var descriptors: [Descriptor] = []
        for (index, text) in DescriptorExport(account, kinds: kinds).descriptors.enumerated() {
            do throws(DescriptorError) { descriptors.append(try Descriptor(parsing: text)) } catch {
                throw .descriptor(index + 1, error)
            }
        }
        self.label = label
        wallet = try WatchWallet(name: label, network: network, descriptors: descriptors)
        self.birthHeight = network == .main ? birthHeight.flatMap { Self.birthHeights.contains($0) ? $0 : nil } : nil
    }

    /// Blocks at which cards can have been made, as their protocol has it.
    private static let birthHeights = 700_000...999_999

    /// The accounts of the wallet.
    /// - Throws: `ExportError.unusualDescriptor`, `.unsortedKeys`, `.oneBranch`.
    package var accounts: [ExportAccount] {
        get throws(ExportError) { try ExportAccount.accounts(of: wallet.descriptors) }
    }

    /// The only account of the wallet, for formats that have one.
    /// - Throws: `ExportError`, also `.severalAccounts`.
    package var account: ExportAccount {
        get throws(ExportError) {
            let accounts = try accounts
            guard let account = accounts.first, accounts.count == 1 else { throw .severalAccounts(accounts.count) }
            return account
        }
    }
}

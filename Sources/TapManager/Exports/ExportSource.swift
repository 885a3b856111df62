import Bitcoin

/// What to export: a wallet, its name for people, and since when it can have received money.
package struct ExportSource: Sendable {
    /// The name that other programs show.
    package let label: String
    /// The watched wallet, whose descriptors are exported.
    package let wallet: WatchWallet
    /// The block of bitcoin's chain before which nobody can have paid a card's account, as the card claims; `nil` for
    /// stored wallets, if unknown, and on test networks.
    package let birthHeight: Int?
    /// How many addresses of each branch a program has to watch at first that takes such a number, one of
    /// `CoreExport.addressCounts`.
    let addressCount: Int

    /// A stored wallet, safe according to `WatchWallet.requireSound()`: other programs would send change wherever it
    /// says.
    /// - Parameter chain: a chain server's last answer about it, which shows how far it was used; `nil`: none was
    ///   asked.
    package init(_ wallet: WatchWallet, _ chain: WalletChain? = nil) {
        self.init(wallet, addressCount: chain?.watchedCount ?? CoreExport.addressCounts.lowerBound)
    }

    /// The same with a known number of addresses.
    init(_ wallet: WatchWallet, addressCount: Int) {
        label = wallet.name
        self.wallet = wallet
        self.addressCount = addressCount
        birthHeight = nil
    }

    /// A card's account.
    /// - Parameters:
    ///   - kinds: the kinds of addresses, at least one.
    ///   - birthHeight: the block of bitcoin's chain when the card was made, as the card claims. Nothing proves it: if
    ///     there is none, or not a possible one, payments are scanned for from the beginning.
    /// - Throws: `WalletError` only for keys from which no address can be derived (probability below 2⁻¹²⁷).
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
        addressCount = CoreExport.addressCounts.lowerBound
        self.birthHeight = network == .main ? birthHeight.flatMap { Self.birthHeights.contains($0) ? $0 : nil } : nil
    }

    /// Blocks at which cards can have been made, according to their protocol.
    private static let birthHeights = 700_000...999_999

    /// The descriptor of a wallet with a policy, with its checksum; `nil` for other wallets.
    /// - Throws: `ExportError.severalAccounts`, `.unusualPolicy` unless every key has an origin, and ends in one multipath
    ///   step of two branches; `.noOrigin`.
    var policy: String? {
        get throws(ExportError) {
            guard let descriptor = wallet.descriptors.first(where: { $0.miniscript != nil }) else { return nil }
            guard wallet.descriptors.count == 1 else { throw .severalAccounts(wallet.descriptors.count) }
            guard case .wsh = descriptor.expression, let text = descriptor.text else { throw .unusualPolicy }
            for (index, key) in descriptor.keys.enumerated() {
                guard let origin = key.origin, !origin.path.steps.isEmpty else { throw .noOrigin(index + 1) }
                guard case .extended = key.material, key.wildcard == .normal, key.steps.count == 1,
                    key.branchCount == 2
                else { throw .unusualPolicy }
            }
            return text
        }
    }

    /// The accounts of the wallet.
    /// - Throws: `ExportError.unusualDescriptor`, `.unsortedKeys`, `.oneBranch`.
    package var accounts: [ExportAccount] {
        get throws(ExportError) { try ExportAccount.accounts(of: wallet.descriptors) }
    }

    /// The only account of the wallet, for formats that support one.
    /// - Throws: `ExportError`, also `.severalAccounts`.
    package var account: ExportAccount {
        get throws(ExportError) {
            let accounts = try accounts
            guard let account = accounts.first, accounts.count == 1 else { throw .severalAccounts(accounts.count) }
            return account
        }
    }
}

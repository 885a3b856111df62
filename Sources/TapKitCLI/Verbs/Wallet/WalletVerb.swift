import ArgumentParser

/// `tapkit wallet`: watch-only wallets.
struct WalletVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wallet", abstract: "Watch-only wallets: balances, history, addresses, labels.",
        discussion: """
            A wallet is one or more output descriptors under a name. show, history and receive ask the chain server if \
            one is set (--chain), and without one tell what the last one said.
            """,
        subcommands: [
            WalletAddVerb.self, WalletListVerb.self, WalletShowVerb.self, WalletSyncVerb.self, WalletHistoryVerb.self,
            WalletReceiveVerb.self, WalletLabelsVerb.self, WalletRemoveVerb.self,
        ])
}

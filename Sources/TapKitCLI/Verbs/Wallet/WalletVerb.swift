import ArgumentParser

/// `tapkit wallet`: watch-only wallets.
struct WalletVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wallet", abstract: "Watch wallets: balances, history, addresses, labels.",
        discussion: """
            A wallet is a name for one or more output descriptors. show, history and receive ask the chain server, if \
            one is set (--chain); otherwise they use the last answer.
            """,
        subcommands: [
            WalletAddVerb.self, WalletListVerb.self, WalletShowVerb.self, WalletSyncVerb.self, WalletHistoryVerb.self,
            WalletReceiveVerb.self, WalletRegisterVerb.self, WalletKitVerb.self, WalletRehearseVerb.self,
            WalletLabelsVerb.self, WalletRemoveVerb.self,
        ])
}

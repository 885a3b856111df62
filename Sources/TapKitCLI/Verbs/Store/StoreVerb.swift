import ArgumentParser

/// `tapkit store`: the local store as a whole.
struct StoreVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Check, back up or export the local store, or forget a card.",
        discussion: """
            The store keeps cards and their proven keys, transactions, interrupted tasks, encrypted backups, wallets \
            and labels. Several tapkit processes can use it at the same time.
            """,
        subcommands: [StoreCheckVerb.self, StoreBackupVerb.self, StoreExportVerb.self, StoreForgetVerb.self])
}

import ArgumentParser

/// `tapkit store`: the local store as a whole.
struct StoreVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "The local store: check it, back it up, write it out as JSON, forget a card.",
        discussion: """
            The store keeps cards and their proven keys, transactions, unfinished flows, encrypted backups, wallets and \
            labels. Other tapkit processes may write to it meanwhile.
            """,
        subcommands: [StoreCheckVerb.self, StoreBackupVerb.self, StoreExportVerb.self, StoreForgetVerb.self])
}

import ArgumentParser

/// `tapkit tx`: transactions that are kept in the local store.
struct TxVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tx", abstract: "Build, sign, send and manage stored transactions.",
        discussion: """
            Every transaction that is built, signed or imported stays in the local store, with all its signatures, \
            until it is deleted. Name a transaction by its id, or by a unique start of it.
            """,
        subcommands: [
            TxCreateVerb.self, TxListVerb.self, TxShowVerb.self, TxSignVerb.self, TxBroadcastVerb.self, TxBumpVerb.self,
            TxExportVerb.self, TxImportVerb.self, TxDeleteVerb.self,
        ])
}

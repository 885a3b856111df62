import ArgumentParser

/// `tapkit tx`: transactions that are kept in the local store.
struct TxVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tx", abstract: "Transactions that are kept here until they are sent or deleted.",
        discussion: """
            Whatever is built, signed or imported stays in the local store, with every signature, until it is deleted. A \
            transaction is named by its id, or by the beginning of it that no other has.
            """,
        subcommands: [
            TxCreateVerb.self, TxListVerb.self, TxShowVerb.self, TxSignVerb.self, TxBroadcastVerb.self, TxBumpVerb.self,
            TxExportVerb.self, TxImportVerb.self, TxDeleteVerb.self,
        ])
}

import TapManager
import TapProtocol

/// Where a method saves a card's encrypted backup.
struct BackupFileArgument: Sendable {
    static let parameter = Parameter.text(
        "backup_file",
        "The absolute path of the file that the encrypted backup is saved in; default: one in a folder next to the store."
    )

    /// `nil`: the default.
    let path: String?

    init(_ arguments: Arguments) throws(RPCFault) {
        path = try arguments.optional(Self.parameter)
        guard path?.hasPrefix("/") != false else {
            throw RPCFault(.invalidParams, "The parameter backup_file must be an absolute path.")
        }
    }

    /// The file for a card's backup.
    /// - Throws: `StoreError` if there can be none next to the store.
    func file(for card: CardIdent, _ manager: CardManager) throws -> BackupFile {
        if let path { return BackupFile(path: path, ident: card) }
        guard let kept = try manager.keptBackupFile(of: card) else {
            throw RPCFault(.invalidParams, "Give backup_file: the store is only in memory, and has no folder.")
        }
        return kept
    }
}

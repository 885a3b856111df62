import AnswerDocuments
import Bitcoin
import ByteCodec
import TapManager
import TapProtocol

/// `card.backup`: saves a TAPSIGNER's encrypted backup.
struct CardBackupMethod: ServiceMethod {
    static let name = "card.backup"
    static let summary =
        "Save a TAPSIGNER's encrypted backup. The backup key that decrypts it is printed on the card's back."
    static let result = "As tapkit backup --json, with its name and content (Base64), to keep it elsewhere."
    static let parameters: [any ParameterDescription] =
        CardArguments.parameters + [Parameter.network, BackupFileArgument.parameter]

    private struct Document: Encodable {
        let saved: SavedBackupDocument
        let content: BackupContentDocument

        func encode(to encoder: any Encoder) throws {
            try saved.encode(to: encoder)
            try content.encode(to: encoder)
        }
    }

    private let options: CardArguments
    private let network: Network?
    private let backupFile: BackupFileArgument

    init(_ arguments: Arguments) throws {
        options = try CardArguments(arguments)
        network = try arguments.network()
        backupFile = try BackupFileArgument(arguments)
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        try await call.withCards(options) { manager in
            let card = try await manager.card(options.choice, for: network)
            let file = try backupFile.file(for: card.ident, manager)
            let backup = try await manager.backUp(card, to: file)
            return ServiceAnswer(
                Document(
                    saved: SavedBackupDocument(backup, in: file.place(of: backup)),
                    content: BackupContentDocument(backup, of: card)))
        }
    }
}

/// `backup.verify`: whether a backup can be decrypted, and is the card's.
struct BackupVerifyMethod: ServiceMethod {
    static let name = "backup.verify"
    static let summary =
        "Check that an encrypted backup can be decrypted, and belongs to the card on the reader, which proves its keys. "
        + "The backup key is asked for, then the card's CVC. Without a card, only the backup is checked."
    static let result = "As tapkit backup verify --json."
    private static let content = Parameter.text("content", "The encrypted backup in Base64.").required
    private static let isRequired = Parameter.flag(
        "card_required", "Whether it is an error if there is no card; so it is if card, reader or wait_s is given.")
    static let parameters: [any ParameterDescription] =
        [content, isRequired] + CardArguments.parameters + [Parameter.network]

    private let backup: EncryptedBackup
    private let isRequired: Bool
    private let network: Network?
    private let options: CardArguments

    init(_ arguments: Arguments) throws {
        options = try CardArguments(arguments)
        network = try arguments.network()
        isRequired =
            try arguments.optional(Self.isRequired) ?? false || options.choice != .any || options.reader != nil
            || options.patience != nil
        guard let bytes = try? Base64.decode(try arguments.required(Self.content)) else {
            throw RPCFault(.invalidParams, "The parameter content must be Base64.")
        }
        backup = try EncryptedBackup(bytes)
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let opened = try await call.manager(asking: options.asks).openBackup(backup, for: .check, network: network)
        let match = try await call.withCards(options) { manager in
            try await manager.compare(
                opened, with: options.choice, isRequired: isRequired, network: network)
        }
        return ServiceAnswer(BackupCheckDocument(opened, match))
    }
}

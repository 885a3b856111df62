import AnswerDocuments
import Bitcoin
import TapManager
import TapProtocol

/// `card.setup`: prepares a card for use.
struct CardSetupMethod: ServiceMethod {
    static let name = "card.setup"
    static let summary =
        "Set up a card: key, encrypted backup, path and a new CVC, each proven. The backup is saved before the CVC is "
        + "changed. The same call continues an interrupted setup. A SATSCARD gets a key for its next slot."
    static let result =
        "As tapkit setup --json; backup: name and content (Base64) of a TAPSIGNER's encrypted backup, to keep elsewhere."
    private static let path = Parameter.text(
        "path", "The card's path; default: m/84h/0h/0h, or m/84h/1h/0h on test networks.")
    private static let keepsCVC = Parameter.flag(
        "keep_cvc",
        "Whether the card keeps its CVC; default: false for a card that is new or whose setup was interrupted.")
    static let parameters: [any ParameterDescription] =
        CardArguments.parameters + [path, Parameter.network, keepsCVC, BackupFileArgument.parameter]

    private struct Document: Encodable {
        let setup: CardSetupDocument
        let backup: BackupContentDocument?

        private enum CodingKeys: String, CodingKey { case backup }

        func encode(to encoder: any Encoder) throws {
            try setup.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(backup, forKey: .backup)
        }
    }

    private let options: CardArguments
    private let path: DerivationPath?
    private let network: Network?
    private let keepsCVC: Bool?
    private let backupFile: BackupFileArgument

    init(_ arguments: Arguments) throws {
        options = try CardArguments(arguments)
        path = try arguments.optional(Self.path).map { try DerivationPath(parsing: $0) }
        network = try arguments.network()
        keepsCVC = try arguments.optional(Self.keepsCVC)
        backupFile = try BackupFileArgument(arguments)
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        try await call.withCards(options) { manager in
            let card = try await manager.card(options.choice, for: network)
            return card.status.product == .satscard
                ? try await setUpSlot(of: card, manager) : try await setUp(card, manager)
        }
    }

    private func setUp(_ card: CardAtHand, _ manager: CardManager) async throws -> ServiceAnswer {
        var goal = SetupGoal(path: path, keepsCVC: keepsCVC)
        // Nobody makes up a new CVC before the current one is known to be right.
        goal.triesCVCFirst = true
        let file = try fileToWrite(for: card, manager)
        let result = try await manager.setUp(card, goal, backup: file)
        let saved = result.backup.flatMap { file?.place(of: $0) }
        return ServiceAnswer(
            Document(
                setup: CardSetupDocument(result, of: card, file: saved),
                backup: result.backup.map { BackupContentDocument($0, of: card) }))
    }

    /// - Returns: `nil` for a card that makes none: a SATSCHIP, or one that is ready, unless a file was named.
    private func fileToWrite(for card: CardAtHand, _ manager: CardManager) throws -> BackupFile? {
        guard backupFile.path == nil else { return try backupFile.file(for: card.ident, manager) }
        guard card.status.product == .tapsigner, try !manager.isReady(card) else { return nil }
        return try backupFile.file(for: card.ident, manager)
    }

    private func setUpSlot(of card: CardAtHand, _ manager: CardManager) async throws -> ServiceAnswer {
        guard path == nil, backupFile.path == nil, keepsCVC != false else {
            throw ClientRefusal(.notSupported, "A SATSCARD has no path and no backup, and its CVC cannot be changed.")
        }
        let slot = try await manager.setUpSlot(card)
        guard let address = slot.report.address else { throw FlowError.slotUnused(slot.report.slot) }
        return ServiceAnswer(NewSlotDocument(slot, of: card, at: try card.address(address, on: network)))
    }
}

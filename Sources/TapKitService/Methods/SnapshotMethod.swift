import AnswerDocuments
import TapManager

/// `snapshot`: what is known now.
struct SnapshotMethod: ServiceMethod {
    static let name = "snapshot"
    static let summary = "Everything that is known without asking a card, a server or a person."
    static let result = "readers, cards, wallets, transactions, and problems if something cannot be read."

    init(_ arguments: Arguments) {}

    func run(_ call: ServiceCall) throws -> ServiceAnswer {
        let manager = call.manager
        return ServiceAnswer(try SnapshotDocument(manager.snapshot(), of: manager))
    }
}

extension SnapshotDocument {
    /// A snapshot, with what lists show about its transactions.
    init(_ now: ManagerSnapshot, of manager: CardManager) throws {
        self.init(now, transactions: try manager.transactionListings().listings)
    }
}

import Bitcoin
import TapProtocol

/// What was interrupted.
extension CardManager {
    /// How many of the newest transactions are searched for partially signed ones.
    private static let newest = 100
    /// How many of those are returned.
    private static let told = 5

    /// A card's unfinished work: its flows in the journal, most recently started first, then stored transactions that
    /// it signed in part.
    /// - Returns: what can be read from the store, and why the rest cannot.
    public nonisolated func unfinished(of card: CardIdent) -> (flows: [UnfinishedFlow], problems: [StoreError]) {
        var flows: [UnfinishedFlow] = []
        var problems: [StoreError] = []
        var journalled: Set<TransactionID> = []
        do throws(StoreError) {
            for entry in try store.flows(of: card) {
                if case .sign(let state) = entry.state { journalled.insert(state.transaction) }
                do throws(StoreError) { flows.append(try UnfinishedFlow(entry, in: store)) } catch {
                    problems.append(error)
                }
            }
            flows += try begunSignings(by: card, besides: journalled)
        } catch { problems.append(error) }
        return (flows, problems)
    }

    private nonisolated func begunSignings(
        by card: CardIdent, besides journalled: Set<TransactionID>
    ) throws(StoreError) -> [UnfinishedFlow] {
        guard let signer = try store.card(card)?.fingerprint else { return [] }
        let begun = try store.transactions(limit: Self.newest, offset: 0).filter {
            $0.missing > 0 && $0.signedBy.contains(signer) && !journalled.contains($0.id)
        }
        var flows: [UnfinishedFlow] = []
        for summary in begun.prefix(Self.told) {
            guard let transaction = try store.transaction(summary.id),
                SignatureTally(transaction.psbt).canSign.contains(signer)
            else { continue }
            flows.append(UnfinishedFlow(signing: transaction, by: signer))
        }
        return flows
    }
}

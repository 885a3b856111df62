import Bitcoin
import TapManager

/// A stored transaction as people name it: by its id, or the beginning of it.
enum TransactionArgument {
    /// The shortest beginning that is taken.
    private static let shortest = 4

    /// The transaction in the store.
    /// - Throws: what `id` throws, and `.storeDamaged`.
    static func transaction(_ text: String, in store: (any Store)?) throws(Failure) -> StoredTransaction {
        let id = try id(text, in: store)
        do throws(StoreError) {
            guard let transaction = try store?.transaction(id) else { throw .noSuchTransaction(id) }
            return transaction
        } catch { throw Failure(error) }
    }

    /// The id of a stored transaction.
    /// - Throws: `Failure`: `.noSuchTransaction`, also when several begin so; `.usage` for what is no id.
    static func id(_ text: String, in store: (any Store)?) throws(Failure) -> TransactionID {
        guard text.count >= shortest, text.count <= 64, text.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw Failure(
                .usage, "“\(text)” is no transaction id: \(shortest) to 64 hexadecimal digits.",
                hint: "tapkit tx list shows them.")
        }
        do {
            let ids = try store?.transactionIDs(startingWith: text) ?? []
            guard ids.count < 2 else {
                throw Failure(
                    .noSuchTransaction, "Several transactions begin with \(text): \(ids[0]), \(ids[1]), ….",
                    hint: "Name one by more of its id.")
            }
            guard let id = ids.first else {
                throw Failure(
                    .noSuchTransaction, "There is no stored transaction \(text).", hint: "tapkit tx list shows them.")
            }
            return id
        } catch { throw Failure(unexpected: error) }
    }
}

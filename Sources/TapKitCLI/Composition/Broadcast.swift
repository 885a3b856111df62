import Bitcoin
import ChainData
import TapManager

/// Sends stored transactions.
struct Broadcast {
    let manager: CardManager

    /// Sends a transaction whose signatures are all there and valid, and remembers that it was sent.
    /// - Throws: `Failure`: `.notComplete`, `.badPSBT` for a signature that is not valid, `.transactionRejected` and the
    ///   server's other failures, and what the store throws.
    func send(_ stored: StoredTransaction, to source: any ChainSource) async throws(Failure) -> Transaction {
        let transaction = try Self.transaction(of: stored)
        do throws(ChainError) { _ = try await source.broadcast(transaction) } catch { throw Failure(error) }
        do throws(StoreError) {
            _ = try manager.store.updateTransaction(stored.id) { present throws(StoreError) in
                var sent = present ?? stored
                sent.sent = sent.sent ?? manager.now
                sent.updated = manager.now
                return sent
            }
        } catch {
            throw Failure(error).prefixed("The transaction \(transaction.id) was sent, but the store does not know. ")
        }
        return transaction
    }

    /// The transaction, ready to be sent.
    private static func transaction(of stored: StoredTransaction) throws(Failure) -> Transaction {
        let result = SigningResult(stored.psbt, added: 0)
        guard let transaction = result.transaction else {
            let missing = SignatureTally(stored.psbt).missing
            throw Failure(
                .notComplete,
                missing > 0
                    ? "\(missing) signature\(missing == 1 ? "" : "s") are missing." : "Its scripts are not complete.",
                hint: "tapkit tx sign \(stored.id.abbreviated)")
        }
        let digests = SighashCache(result.psbt.unsignedTransaction)
        for index in result.psbt.inputs.indices {
            do throws(PSBTError) { _ = try result.psbt.verifyFinalScripts(ofInput: index, using: digests) } catch {
                throw Failure(error, file: "transaction \(stored.id.abbreviated)")
            }
        }
        return transaction
    }
}

/// The store as a whole.
extension CardManager {
    /// Reads everything in the store of a folder, and says what is wrong. A store that is too damaged for a manager is looked at, too:
    /// nothing is opened for use, nothing changed, and a damaged file stays where it is.
    /// - Returns: `nil` when there is no store.
    /// - Throws: `StoreError`: `.unsafe`, `.newer`, `.busy`, `.notWritable`, `.failed`.
    package static func checkStore(in folder: String) throws(StoreError) -> StoreCheck? {
        try StoreCheck(folder: folder)
    }

    /// Copies the store, as it is at one moment, into a new file that is a store by itself: synced, checked, for this user alone.
    /// Others may write meanwhile.
    /// - Parameter path: the new file; what is there already stays.
    /// - Returns: where the store itself is.
    /// - Throws: `StoreCopyError`.
    package nonisolated func backUpStore(to path: String) throws(StoreCopyError) -> String {
        let kept = try keptStore()
        try kept.backUp(to: path)
        return kept.path
    }

    /// Writes everything in the store as one JSON object, as it is at one moment. Of a damaged store it has what can be read; the
    /// file stays where it is.
    /// - Parameter sink: takes the next bytes.
    /// - Returns: where the store is, and what could not be read of it.
    /// - Throws: `StoreCopyError`, `.file` with what `sink` throws.
    package nonisolated func exportStore(
        to sink: ([UInt8]) throws(WritingError) -> Void
    ) throws(StoreCopyError) -> (store: String, unreadable: [String]) {
        let kept = try keptStore()
        return (kept.path, try StoreExport(kept, at: now).write(to: sink))
    }

    /// The same into a file that must not be there yet; it is there whole or not at all.
    package nonisolated func exportStore(
        toNewFile path: String
    ) throws(StoreCopyError) -> (store: String, unreadable: [String]) {
        let kept = try keptStore()
        return (kept.path, try StoreExport(kept, at: now).write(toNewFile: path))
    }

    private nonisolated func keptStore() throws(StoreCopyError) -> SQLiteStore {
        guard let kept = observedStore.kept as? SQLiteStore else { throw .inMemory }
        return kept
    }
}

/// The store as a whole.
extension CardManager {
    /// Checks everything in the store of a folder, and reports what is wrong. Works even for a store that is too
    /// damaged for a manager: nothing is opened for use, nothing is changed, and a damaged file stays where it is.
    /// - Returns: `nil` if there is no store.
    /// - Throws: `StoreError`: `.unsafe`, `.newer`, `.busy`, `.notWritable`, `.failed`.
    package static func checkStore(in folder: String) throws(StoreError) -> StoreCheck? {
        try StoreCheck(folder: folder)
    }

    /// Copies the store, in its state at one moment, into a new file that is a complete store: synced, checked,
    /// accessible only to this user. Others may write meanwhile.
    /// - Parameter path: the new file; an existing one is not replaced.
    /// - Returns: where the store itself is.
    /// - Throws: `StoreCopyError`.
    package nonisolated func backUpStore(to path: String) throws(StoreCopyError) -> String {
        let kept = try keptStore()
        try kept.backUp(to: path)
        return kept.path
    }

    /// Writes everything in the store as one JSON object, in its state at one moment. For a damaged store, it contains
    /// what can be read; the file stays where it is.
    /// - Parameter sink: takes the next bytes.
    /// - Returns: where the store is, and what could not be read.
    /// - Throws: `StoreCopyError`, `.file` with what `sink` throws.
    package nonisolated func exportStore(
        to sink: ([UInt8]) throws(WritingError) -> Void
    ) throws(StoreCopyError) -> (store: String, unreadable: [String]) {
        let kept = try keptStore()
        return (kept.path, try StoreExport(kept, at: now).write(to: sink))
    }

    /// The same into a new file, which is written completely or not at all.
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

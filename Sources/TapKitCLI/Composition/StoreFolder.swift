import TapManager

/// Where this run's local store is, and the ways to open it.
struct StoreFolder {
    /// The store's folder.
    let folder: String

    /// The store, made when it is not there.
    func opened() throws(Failure) -> SQLiteStore {
        do { return try SQLiteStore.open(folder: folder, clock: UnixTime.now) } catch { throw Failure(error) }
    }

    /// The store if there is one; none is made.
    func existing() throws(Failure) -> SQLiteStore? {
        do { return try SQLiteStore.openExisting(folder: folder, clock: UnixTime.now) } catch { throw Failure(error) }
    }

    /// The store if there is one, only to be read: nothing is changed, not even a damaged store put aside.
    func lookedInto() throws(Failure) -> SQLiteStore? {
        do { return try SQLiteStore.openToLook(folder: folder, clock: UnixTime.now) } catch { throw Failure(error) }
    }

    /// The store, for what is of no use without one.
    /// - Throws: `Failure.noInputFile` when there is none.
    func required() throws(Failure) -> SQLiteStore {
        guard let store = try existing() else { throw Failure.noStore(in: folder) }
        return store
    }
}

import Settings
import TapManager

/// The ways to open the local store.
extension StoreFolder {
    /// The store, created if it does not exist.
    func opened() throws(Failure) -> SQLiteStore {
        do { return try SQLiteStore.open(folder: folder, clock: UnixTime.now) } catch { throw Failure(error) }
    }

    /// The store if it exists; it is not created.
    func existing() throws(Failure) -> SQLiteStore? {
        do { return try SQLiteStore.openExisting(folder: folder, clock: UnixTime.now) } catch { throw Failure(error) }
    }

    /// The store if it exists, for reading only: nothing is changed, and a damaged store is left in place.
    func lookedInto() throws(Failure) -> SQLiteStore? {
        do { return try SQLiteStore.openToLook(folder: folder, clock: UnixTime.now) } catch { throw Failure(error) }
    }

    /// The store, for work that needs an existing one.
    /// - Throws: `Failure.noInputFile` when there is none.
    func required() throws(Failure) -> SQLiteStore {
        guard let store = try existing() else { throw Failure.noStore(in: folder) }
        return store
    }
}

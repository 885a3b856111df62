/// Where a manager stores what must survive an interruption: journals, signatures, wallets, transactions, and what is
/// known about cards.
///
/// ```swift
/// let store = try LocalStore.file(in: folder, clock: UnixTime.now)
/// let manager = CardManager(store: store, readers: [PCSCBackend()], interaction: me, clock: UnixTime.now)
/// ```
public struct LocalStore: Sendable {
    let kept: any Store

    /// A store that lives as long as the process. What an interrupted flow was doing is lost with it, and so are
    /// signatures that were not saved elsewhere.
    public static func memory() -> LocalStore { LocalStore(kept: MemoryStore()) }

    /// The store in a folder, created if there is none, and migrated if an earlier version made it. Several processes
    /// may use it at once.
    /// - Parameters:
    ///   - folder: created with mode 0700 if it does not exist, like those above it; the store's files in it have mode
    ///     0600.
    ///   - clock: the time, for the name of a damaged file that is set aside.
    /// - Throws: `StoreError`: `.unsafe`, `.newer`, `.damaged`, `.damagedInUse`, `.notWritable`, `.diskFull`, `.busy`,
    ///   `.failed`.
    public static func file(in folder: String, clock: @escaping UnixClock) throws(StoreError) -> LocalStore {
        LocalStore(kept: try SQLiteStore.open(folder: folder, clock: clock))
    }
}

/// Where a manager keeps what must outlast an interruption: journals, signatures, wallets, transactions, and what is known of
/// cards.
///
/// ```swift
/// let store = try LocalStore.file(in: folder, clock: UnixTime.now)
/// let manager = CardManager(store: store, readers: [PCSCBackend()], interaction: me, clock: UnixTime.now)
/// ```
public struct LocalStore: Sendable {
    let kept: any Store

    /// A store for as long as the process lives. What an interrupted flow was about to do is lost with it, and so are
    /// signatures that were not taken out.
    public static func memory() -> LocalStore { LocalStore(kept: MemoryStore()) }

    /// The store in a folder, made when there is none, and brought up to date when an earlier version made it. Several
    /// processes may use it at once.
    /// - Parameters:
    ///   - folder: made with mode 0700 where it is missing, and those above it; the store's files in it have mode 0600.
    ///   - clock: the time, for the name of a damaged file that is put aside.
    /// - Throws: `StoreError`: `.unsafe`, `.newer`, `.damaged`, `.damagedInUse`, `.notWritable`, `.diskFull`, `.busy`,
    ///   `.failed`.
    public static func file(in folder: String, clock: @escaping UnixClock) throws(StoreError) -> LocalStore {
        LocalStore(kept: try SQLiteStore.open(folder: folder, clock: clock))
    }
}

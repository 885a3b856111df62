import Bitcoin
import SmartCard
import TapManager
import TapProtocol

extension GlobalOptions {
    /// The local store, made when it is not there.
    func store() throws(Failure) -> SQLiteStore {
        let folder = try dataFolder()
        do { return try SQLiteStore.open(folder: folder, clock: UnixTime.now) } catch { throw Failure(error) }
    }

    /// The local store if there is one; none is made.
    func existingStore() throws(Failure) -> SQLiteStore? {
        let folder = try dataFolder()
        do { return try SQLiteStore.openExisting(folder: folder, clock: UnixTime.now) } catch { throw Failure(error) }
    }

    /// A manager over a store, with the readers that were asked for.
    /// - Parameters:
    ///   - readers: others than those that were asked for.
    ///   - interaction: who is asked and told.
    func manager(
        over store: any Store, readers: [any ReaderBackend]? = nil, interaction: (any Interaction)? = nil
    ) throws(Failure) -> CardManager {
        let asked = try readerSpec().backend
        return CardManager(
            store: store, readers: readers ?? [asked], interaction: interaction ?? TerminalInteraction(self),
            patience: try waiting(),
            acceptedRoots: try customRoots(), trace: isTracing ? Trace.write : nil, clock: UnixTime.now)
    }

    /// A manager for verbs that only look at a card: it is compared with what the local store has seen of it, and
    /// remembered. A store that cannot be used keeps nobody from looking, but that is said.
    func lookingManager(_ interaction: (any Interaction)? = nil) throws(Failure) -> CardManager {
        let store: any Store
        do throws(Failure) { store = try self.store() } catch {
            console.note("\(error.message) So this card is not compared with what was seen of it before.")
            return try manager(over: MemoryStore(), interaction: interaction)
        }
        return try manager(over: store, interaction: interaction)
    }

    /// The local store, for verbs that are of no use without one.
    /// - Throws: `Failure.noInputFile` when there is none.
    func requiredStore() throws(Failure) -> SQLiteStore {
        guard let store = try existingStore() else { throw Failure.noStore(in: try dataFolder()) }
        return store
    }
}

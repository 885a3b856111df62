import Bitcoin
import SmartCard
import TapManager
import TapSimulator

/// What a manager needs besides its store and the user.
struct Equipment {
    /// Where cards are looked for.
    let readers: [any ReaderBackend]
    /// The chain servers; `nil`: none.
    var chain: ChainServers?
    /// How long to wait for a reader or a card; `nil`: do not wait.
    let patience: Patience?
    /// Factory roots accepted in addition to the maker's.
    let acceptedRoots: [PublicKey]
    /// Whether every exchange with a card is shown.
    let isTracing: Bool

    /// No reader and no server.
    static let none = Equipment(readers: [], chain: nil, patience: nil, acceptedRoots: [], isTracing: false)

    /// A manager that uses it.
    func manager(over store: any Store, asking interaction: any Interaction) -> CardManager {
        CardManager(
            store: store, readers: readers, chain: chain, interaction: interaction, patience: patience,
            acceptedRoots: acceptedRoots, simulatorRoots: SimulatedFactory.allCases.compactMap { try? $0.rootKey },
            trace: isTracing ? Trace.write : nil, clock: UnixTime.now)
    }
}

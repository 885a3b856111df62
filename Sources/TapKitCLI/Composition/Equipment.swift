import Bitcoin
import SmartCard
import TapManager
import TapSimulator

/// What a manager works with beside its store and the person.
struct Equipment {
    /// Whose readers cards are looked for on.
    var readers: [any ReaderBackend]
    /// The chain servers that are asked; `nil`: none.
    let chain: ChainServers?
    /// How long to wait for a reader, a card or its return; `nil`: not at all.
    let patience: Patience?
    /// Factory roots that are accepted beside the maker's.
    let acceptedRoots: [PublicKey]
    /// Whether every exchange with a card is shown.
    let isTracing: Bool

    /// No reader and no server.
    static let none = Equipment(readers: [], chain: nil, patience: nil, acceptedRoots: [], isTracing: false)

    /// A manager that works with it.
    func manager(over store: any Store, asking interaction: any Interaction) -> CardManager {
        CardManager(
            store: store, readers: readers, chain: chain, interaction: interaction, patience: patience,
            acceptedRoots: acceptedRoots, simulatorRoots: SimulatedFactory.allCases.compactMap { try? $0.rootKey },
            trace: isTracing ? Trace.write : nil, clock: UnixTime.now)
    }
}

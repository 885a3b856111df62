import Bitcoin
import ChainData
import Settings
import TapKitHWI
import TapManager
import TapProtocol
import Terminal

/// One call of HWI's command line, with its options, the environment and the configuration resolved.
struct HWIInvocation: HWIEquipment {
    let settings: HWISettings
    private let console: Console
    private let equipment: Equipment
    /// Calls that need no store work even without a folder for one.
    private let folder: Swift.Result<StoreFolder, SettingError>
    private let cvcs: CVCSource?

    /// - Throws: `Failure` for invalid settings, even those that this call does not need.
    init(_ places: HWIPlaces, _ console: Console) throws(Failure) {
        let reader = places.devicePath.flatMap { ReaderSpec(parsing: $0) == nil ? nil : $0 } ?? places.reader
        cvcs = CVCSource(option: places.cvcFile)
        let network = try Network.asked(nil)
        do {
            settings = HWISettings(
                network: network, choice: CardChoice.asked(places.card),
                readsCVC: cvcs?.isStandardInput ?? false)
            equipment = Equipment(
                readers: [try (ReaderSpec.asked(reader) ?? .usual).backend], chain: nil, patience: nil,
                acceptedRoots: try [PublicKey].asked(places.rootKeys), isTracing: places.isTracing)
            _ = try ChainServer.asked(nil)
        } catch { throw Failure(error) }
        folder = Swift.Result { () throws(SettingError) in try StoreFolder.asked(places.dataFolder) }
        self.console = console
    }

    func givenCVCs() throws -> (any GivenCVCs)? { try cvcs?.file() }

    func lookingManager() throws -> CardManager {
        let person = PersonInteraction.onTerminal(console, accepting: .none)
        return equipment.manager(over: try folder.get().existing() ?? MemoryStore(), asking: person)
    }

    func work<Result>(
        _ asking: HWIAsking, through wrap: (any Interaction) -> any Interaction,
        _ body: (CardManager) async throws -> Result
    ) async throws -> Result {
        let person = PersonInteraction.atWindow(console, words: asking.words, given: asking.given)
        let manager = equipment.manager(over: try folder.get().opened(), asking: wrap(person))
        let progress = ProgressLine(console, of: manager)
        person.progress.show(progress)
        return try await progress.during { try await body(manager) }
    }
}

import Bitcoin
import Glibc
import TapKitHWI
import TapManager
import TapProtocol

/// The process that HWI's callers start: its streams, its terminal and windows, its readers and store.
struct HWITerminal: HWIHost {
    private let input = StandardInputLines()
    private let console = Console(isJSON: true)

    // MARK: Answers and remarks

    func answer(_ line: String) { Console.write(line + "\n", to: STDOUT_FILENO) }

    func note(_ lines: [String]) { console.note(lines: lines) }

    func quoted(_ text: String) -> [String] { QuotedText(text, width: console.width).lines }

    func explain(_ error: any Error) -> HWIExplanation { HWIExplanation(Failure(unexpected: error)) }

    // MARK: What was given

    func nextLine() throws -> [UInt8]? { try input.next() }

    func typedPassword() throws -> SecretBytes? {
        // A terminal that this process was put behind would stop it.
        guard TerminalLine.isOurs else { return nil }
        return try SecretQuestion(
            subject: .cvc, line: "Enter your device password: ", description: "The card's CVC.", prompt: "CVC:"
        ).ask()
    }

    func settings(_ places: HWIPlaces) throws -> HWISettings {
        let options = try places.options()
        try options.requireSense()
        return HWISettings(
            network: try options.network(), choice: options.cardChoice, readsCVC: options.cvcOptions.readsStandardInput)
    }

    func givenCVCs(_ places: HWIPlaces) throws -> (any HWIGivenCVCs)? {
        try places.options().cvcOptions.file()
    }

    var udevRules: [UInt8] { PackageResources._0_tapkit_rules }

    // MARK: Cards

    func isReader(_ path: String) -> Bool { ReaderSpec(parsing: path) != nil }

    func lookingManager(_ places: HWIPlaces) throws -> CardManager {
        let options = try places.options()
        let person = PersonInteraction.onTerminal(console, accepting: .none)
        return try options.equipment().manager(over: MemoryStore(), asking: person)
    }

    func knownFingerprint(of card: CardIdent, _ places: HWIPlaces) throws -> Fingerprint? {
        try places.options().storeFolder().existing()?.card(card)?.fingerprint
    }

    func work<Result>(
        _ places: HWIPlaces, _ asking: HWIAsking, through wrap: (any Interaction) -> any Interaction,
        _ body: (CardManager) async throws -> Result
    ) async throws -> Result {
        let options = try places.options()
        let person = PersonInteraction.atWindow(console, purpose: asking.purpose, given: asking.givenCVC)
        let store = try options.storeFolder().opened()
        let manager = try options.equipment().manager(over: store, asking: wrap(person))
        let progress = ProgressLine(console, of: manager)
        person.progress.show(progress)
        return try await progress.during { try await body(manager) }
    }
}

extension HWIExplanation {
    /// What helps with any error of a kind is about the command line, which whoever calls here does not see.
    init(_ failure: Failure) {
        self.init(code: failure.code, lines: failure.lines, hint: failure.isHintGeneral ? "" : failure.hint)
    }
}

extension CVCFile: HWIGivenCVCs {}

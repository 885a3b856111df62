import Bitcoin
import ExplainedErrors
import FlowSupport
import Synchronization
import TapManager
import TapProtocol
import TapSimulator

@testable import TapKitHWI

/// A host with simulated cards, a store in memory and somebody who answers by a script; what is said is kept.
final class DeskHost: HWIHost {
    private struct State {
        var answers: [String] = []
        var notes: [String] = []
        var purposes: [String] = []
        var lines: [[UInt8]]
    }

    let benches: [FlowBench]
    let store: MemoryStore
    let person: ScriptedInteraction
    private let state: Mutex<State>
    private let settings: HWISettings
    private let isTerminal: Bool

    /// - Parameters:
    ///   - lines: of standard input.
    ///   - isTerminal: whether somebody sits there, who types the CVC of all cards.
    init(
        _ benches: [FlowBench], store: MemoryStore = MemoryStore(), person: ScriptedInteraction? = nil,
        lines: [String] = [], isTerminal: Bool = false,
        settings: HWISettings = HWISettings(network: nil, choice: .any, readsCVC: false)
    ) {
        self.benches = benches
        self.store = store
        self.person = person ?? ScriptedInteraction(cvc: FlowBench.cvc)
        self.settings = settings
        self.isTerminal = isTerminal
        state = Mutex(State(lines: lines.map { Array($0.utf8) }))
    }

    var answers: [String] { state.withLock { $0.answers } }
    var notes: [String] { state.withLock { $0.notes } }
    /// What CVCs were said to be for.
    var purposes: [String] { state.withLock { $0.purposes } }
    var unreadLines: Int { state.withLock { $0.lines.count } }

    /// Runs a call with simulated cards shown, on the test network.
    func run(_ words: String...) async -> (status: Int32, answer: String) {
        let status = await HWIProgram(self).run((["--emulators", "--chain", "test"] + words).map { Array($0.utf8) })
        return (status, answers.last ?? "")
    }

    func answer(_ line: String) { state.withLock { $0.answers.append(line) } }
    func note(_ lines: [String]) { state.withLock { $0.notes += lines } }
    func quoted(_ text: String) -> [String] { ["| \(text)"] }

    func explain(_ error: any Error) -> HWIExplanation {
        guard let error = error as? any ExplainedError else {
            return HWIExplanation(code: .internalError, lines: ["\(error)"], hint: "")
        }
        return HWIExplanation(code: error.code, lines: [error.message] + error.details, hint: error.remedy)
    }

    func nextLine() -> [UInt8]? { state.withLock { $0.lines.isEmpty ? nil : $0.lines.removeFirst() } }
    func typedPassword() -> SecretBytes? { isTerminal ? SecretBytes(Array(FlowBench.cvc.utf8)) : nil }
    func settings(_ places: HWIPlaces) -> HWISettings { settings }
    func givenCVCs(_ places: HWIPlaces) throws -> (any HWIGivenCVCs)? {
        guard let file = places.cvcFile else { return nil }
        throw MissingFile(message: "There is no \(file).")
    }
    var udevRules: [UInt8] { Array("rules\n".utf8) }
    func isReader(_ path: String) -> Bool { benches.contains { $0.reader.spec == path } }

    func lookingManager(_ places: HWIPlaces) throws -> CardManager { try manager(MemoryStore(), NobodyToAsk()) }

    func knownFingerprint(of card: CardIdent, _ places: HWIPlaces) -> Fingerprint? { store.card(card)?.fingerprint }

    func work<Result>(
        _ places: HWIPlaces, _ asking: HWIAsking, through wrap: (any Interaction) -> any Interaction,
        _ body: (CardManager) async throws -> Result
    ) async throws -> Result {
        state.withLock { $0.purposes.append(asking.purpose) }
        guard let given = asking.givenCVC else { return try await body(manager(store, wrap(person))) }
        return try await body(manager(store, wrap(GivenCVC(cvc: given))))
    }

    private func manager(_ store: any Store, _ interaction: any Interaction) throws -> CardManager {
        CardManager(
            store: store, readers: [SimulatedBackend(benches.map(\.reader))], interaction: interaction,
            acceptedRoots: [try SimulatedFactory.standard.rootKey], clock: { UnixTime(seconds: 7) })
    }

    private struct MissingFile: ExplainedError {
        let message: String
        var code: ErrorCode { .noInputFile }
    }
}

/// A CVC that came with the call, tried once.
private struct GivenCVC: Interaction {
    let cvc: CVC

    func confirm(_ question: Question) {}
    func cvc(for request: CVCRequest) throws -> CVC {
        if let refusal = request.refusal { throw refusal.error }
        return cvc
    }
    func notice(_ notice: Notice) {}
}

import Bitcoin
import ExplainedErrors
import FlowSupport
import Synchronization
import TapManager
import TapProtocol
import TapSimulator

@testable import TapKitHWI

/// A host with simulated cards, a store in memory and somebody who answers by a script; what is said is kept.
final class ScriptedHWIHost: HWIHost {
    private struct State {
        var answers: [String] = []
        var notes: [String] = []
        var purposes: [String] = []
        var callCount = 0
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
    /// How often it was asked what a call works with.
    var callCount: Int { state.withLock { $0.callCount } }
    var unreadLines: Int { state.withLock { $0.lines.count } }

    /// Runs a call with simulated cards shown, on the test network.
    func run(_ words: String...) async -> (status: Int32, answer: String) {
        let status = await HWIProgram(self).run((["--emulators", "--chain", "test"] + words).map { Array($0.utf8) })
        return (status, answers.last ?? "")
    }

    func answer(_ line: String) { state.withLock { $0.answers.append(line) } }
    func note(_ lines: [String]) { state.withLock { $0.notes += lines } }

    func explain(_ error: any Error) -> HWIExplanation {
        guard let error = error as? any ExplainedError else {
            return HWIExplanation(code: .internalError, lines: ["\(error)"], hint: "")
        }
        return HWIExplanation(code: error.code, lines: [error.message] + error.details, hint: error.remedy)
    }

    func nextLine() -> [UInt8]? { state.withLock { $0.lines.isEmpty ? nil : $0.lines.removeFirst() } }
    var hasTypist: Bool { isTerminal }
    var udevRules: [UInt8] { Array("rules\n".utf8) }
    func isReader(_ path: String) -> Bool { benches.contains { $0.reader.spec == path } }
    func equipment(at places: HWIPlaces) -> any HWIEquipment {
        state.withLock { $0.callCount += 1 }
        return Equipment(settings: settings, cvcFile: places.cvcFile, host: self)
    }

    fileprivate func told(_ purpose: String) { state.withLock { $0.purposes.append(purpose) } }
}

/// What a call works with: the host's own cards and store, and no file.
private struct Equipment: HWIEquipment {
    let settings: HWISettings
    let cvcFile: String?
    let host: ScriptedHWIHost

    func givenCVCs() throws -> (any GivenCVCs)? {
        guard let cvcFile else { return nil }
        throw MissingFile(message: "There is no \(cvcFile).")
    }

    func lookingManager() throws -> CardManager { try manager(NobodyToAsk()) }

    func work<Result>(
        _ asking: HWIAsking, through wrap: (any Interaction) -> any Interaction,
        _ body: (CardManager) async throws -> Result
    ) async throws -> Result {
        try await body(manager(wrap(Caller(host: host, asking: asking))))
    }

    private func manager(_ interaction: any Interaction) throws -> CardManager {
        CardManager(
            store: host.store, readers: [SimulatedBackend(host.benches.map(\.reader))], interaction: interaction,
            acceptedRoots: [try SimulatedFactory.standard.rootKey], clock: { UnixTime(seconds: 7) })
    }

    private struct MissingFile: ExplainedError {
        let message: String
        var code: ErrorCode { .noInputFile }
    }
}

/// The host's person, who is asked for no CVC that came with the call; that is tried once.
private struct Caller: Interaction {
    let host: ScriptedHWIHost
    let asking: HWIAsking

    func confirm(_ question: Question) throws { try host.person.confirm(question) }

    func cvc(for request: CVCRequest) throws -> CVC {
        guard let given = asking.given?.cvc(of: request.card.ident) else {
            host.told(asking.words(request.purpose))
            return try host.person.cvc(for: request)
        }
        if let refusal = request.refusal { throw refusal.error }
        return given
    }

    func hasOnlyGeneralCVC(for card: CardIdent) -> Bool { asking.given?.isGeneral(for: card) ?? false }

    func notice(_ notice: Notice) { host.person.notice(notice) }
}

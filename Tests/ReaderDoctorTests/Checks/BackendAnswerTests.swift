import CardReaders
import ExplainedErrors
import SmartCard
import Testing

@testable import ReaderDoctor

/// A kind of reader that no check is about: its backend is asked, and nothing has to be written for it here.
@Suite struct BackendAnswerTests {
    private static let kind = ReaderKind(rawValue: "bridge")
    private static let missing = ReaderError(.noReader, "There is no bridge.", remedy: "Build one.")

    private struct BridgeReader: CardReader {
        let spec = "bridge:b"
        let name = "Bridge"
        let kind = BackendAnswerTests.kind

        func connect() throws(ReaderError) -> any CardChannel { throw BackendAnswerTests.missing }
        func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError) {}
        func cancelWaiting() {}
    }

    private struct BridgeBackend: ReaderBackend {
        var isThere = true
        var failure: ReaderError?
        var noReader: any ExplainedError { BackendAnswerTests.missing }

        func readers() throws(ReaderError) -> [any CardReader] {
            if let failure { throw failure }
            return isThere ? [BridgeReader()] : []
        }

        func events() -> AsyncStream<ReaderEvent> { AsyncStream { $0.finish() } }
    }

    private func diagnosis(_ backend: BridgeBackend, for wanted: WantedReader) async throws -> Diagnosis {
        let made = try MadeUpMachine()
        var machine = made.machine
        machine.backends[Self.kind] = await BackendAnswer.ask(backend)
        return withExtendedLifetime(made) { Diagnosis(of: machine, for: wanted) }
    }

    @Test func aReaderThatAnswersCanBeUsed() async throws {
        let named = try await diagnosis(BridgeBackend(), for: WantedReader(Self.kind))
        #expect(named.isUsable && named.kindToName == nil)
        #expect(named.findings.map(\.check) == ["backend_answers"])
        #expect(named.findings.map(\.evidence) == ["bridge: “Bridge” answers"])
        // PC/SC has none, so that the kind must be named.
        let open = try await diagnosis(BridgeBackend(), for: .any(of: [.pcsc, .nfc, Self.kind]))
        #expect(open.isUsable && open.kindToName == Self.kind)
    }

    @Test func whyThereIsNoneIsSaid() async throws {
        let absent = try await diagnosis(BridgeBackend(isThere: false), for: WantedReader(Self.kind))
        #expect(!absent.isUsable && absent.code == .noReader)
        #expect(absent.problems.map(\.evidence) == ["bridge: There is no bridge."])
        #expect(absent.problems.map(\.remedy) == ["Build one."])

        let refused = BridgeBackend(failure: ReaderError(.permissionDenied, "The bridge is closed."))
        let closed = try await diagnosis(refused, for: WantedReader(Self.kind))
        #expect(!closed.isUsable && closed.code == .noPermission)
        #expect(closed.problems.count == 1 && closed.problems[0].remedy?.isEmpty == false)
        // Others will do as well: it is not what keeps the card from being used.
        let open = try await diagnosis(refused, for: .any(of: [.pcsc, .nfc, Self.kind]))
        #expect(!open.problems.contains { $0.check == "backend_answers" } && open.kindToName == nil)
    }

    @Test func whoeverIsNotAskedCannotBeUsed() throws {
        let diagnosis = try MadeUpMachine().diagnosis(for: WantedReader(Self.kind))
        #expect(!diagnosis.isUsable && diagnosis.problems.count == 1)
    }

    /// The checks that there are need no answer of a backend, and the machine asks for none.
    @Test func backendsWithChecksAreNotAsked() async {
        let backend = BridgeBackend(failure: Self.missing)
        let machine = await Machine.real(for: .nfc(), asking: [.nfc: backend])
        #expect(machine.backends.isEmpty && machine.service == .notAsked)
        let other = await Machine.real(for: WantedReader(Self.kind), asking: [Self.kind: backend, .nfc: backend])
        #expect(other.backends.keys.map(\.rawValue) == ["bridge"] && other.service == .notAsked)
    }
}

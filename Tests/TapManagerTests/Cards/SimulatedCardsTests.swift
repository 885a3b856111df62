import FlowSupport
import SmartCard
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Simulated cards on readers that do not tell: their certificates do, if the manager was told whose.
@Suite struct SimulatedCardsTests {
    /// A reader as a service has it, and who knows what lies on it.
    private struct ServiceReader: CardReader {
        let reader: SimulatedReader
        let spec = "service:1"
        let name = "Service 1"
        let kind = ReaderKind(rawValue: "service")

        func connect() throws(ReaderError) -> any CardChannel { try reader.connect() }
        func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError) {
            try reader.waitForCard(isPresent: isPresent, timeout: timeout)
        }
        func cancelWaiting() { reader.cancelWaiting() }
    }

    private struct Service: ReaderBackend {
        let reader: SimulatedReader

        func readers() -> [any CardReader] { [ServiceReader(reader: reader)] }
        var noReader: any ExplainedError { ReaderError(.noReader, "There is none.") }
        func events() -> AsyncStream<ReaderEvent> { AsyncStream { $0.finish() } }
    }

    private func manager(
        _ bench: FlowBench, knowing roots: [PublicKey], accepting accepted: [PublicKey]? = nil,
        asking person: ScriptedInteraction = ScriptedInteraction(cvc: FlowBench.cvc)
    ) throws -> CardManager {
        CardManager(
            store: MemoryStore(), readers: [Service(reader: bench.reader)], interaction: person,
            acceptedRoots: try accepted ?? [SimulatedFactory.standard.rootKey], simulatorRoots: roots,
            clock: { UnixTime(seconds: 7) })
    }

    @Test(arguments: [SimulatedProduct.tapsigner, .satscard, .satschip])
    func theCertificatesTell(_ product: SimulatedProduct) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(product, using: &generator)
        for roots in [[], [try SimulatedFactory.standard.rootKey]] {
            let isKnown = !roots.isEmpty
            let manager = try manager(bench, knowing: roots)
            let stream = manager.events()
            let card = try await manager.card()
            #expect(card.isSimulated == isKnown)
            #expect(card.label == "\(bench.ident)" + (isKnown ? " (SIMULATED)" : ""))
            #expect(manager.label(of: bench.ident) == card.label)
            #expect(manager.snapshot().readers.map(\.card?.isSimulated) == [isKnown])
            #expect(try await manager.verify(card).isSimulated == isKnown)
            try manager.remember(card.status)
            #expect(manager.snapshot().cards.map(\.isSimulated) == [isKnown])
            stream.end()
            var told: [Bool] = []
            for await event in stream {
                switch event {
                case .card(.found(let seen)): told.append(seen.isSimulated)
                case .flow(_, .proven(_, let isSimulated)): told.append(isSimulated)
                default: break
                }
            }
            #expect(told.count == 2 && told.allSatisfy { $0 == isKnown })
        }
    }

    /// The word decides nothing: a root that nobody accepts stays an unknown one.
    @Test func knowingTheRootAcceptsNothing() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let manager = try manager(bench, knowing: [SimulatedFactory.standard.rootKey], accepting: [])
        let card = try await manager.card()
        #expect(card.isSimulated)
        #expect(try await !manager.prove(card).verdict.isAccepted)
        let error = await #expect(throws: FlowError.self) { try await manager.account(of: card) }
        #expect(error?.code == .notGenuine)
    }

    /// Another factory's card is not called simulated, and a flow does not ask once more for what was asked.
    @Test func itCostsNoExchangeMore() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let other = try SimulatedFactory.development.rootKey
        var counts: [[String: Int]] = []
        for roots in [[], [other]] {
            let person = ScriptedInteraction(cvc: FlowBench.cvc)
            let manager = try manager(bench, knowing: roots, asking: person)
            bench.reader.resetCounts()
            let signed = try await manager.sign(bench.wallet().psbt())
            #expect(signed.result.added == 1 && signed.signers.map(\.isSimulated) == [false])
            counts.append(bench.reader.exchangeCounts)
        }
        #expect(counts[0] == counts[1] && counts[0]["certs"] == 1, "\(counts)")
    }

    /// What is asked about a simulated card names it so, from the first question on.
    @Test func thePersonIsTold() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try manager(bench, knowing: [SimulatedFactory.standard.rootKey], asking: person)
        let signed = try await manager.sign(bench.wallet().psbt())
        #expect(signed.signers.map(\.isSimulated) == [true])
        let labels = person.entries.compactMap { entry -> String? in
            switch entry {
            case .question(let question): if case .card(let card) = question.signer { card.label } else { nil }
            case .cvc(let request): request.card.label
            default: nil
            }
        }
        #expect(labels.count >= 2 && labels.allSatisfy { $0 == "\(bench.ident) (SIMULATED)" })
    }
}

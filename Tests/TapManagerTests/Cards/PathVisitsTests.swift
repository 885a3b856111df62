import Bitcoin
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// What the manager has a card do at other paths: what for a CVC is asked, what is remembered, and what is told.
@Suite struct PathVisitsTests {
    private let away: DerivationPath

    init() throws { away = try DerivationPath(parsing: "m/44h/1h/0h") }

    private func manager(_ bench: FlowBench, _ person: ScriptedInteraction) throws -> CardManager {
        CardManager(
            store: bench.store, readers: [SimulatedBackend([bench.reader])], interaction: person,
            acceptedRoots: [try SimulatedFactory.standard.rootKey], clock: { UnixTime(seconds: 7) })
    }

    /// The paths of notices that a card was left away.
    private func left(_ person: ScriptedInteraction) -> [[DerivationPath]] {
        person.entries.compactMap {
            guard case .notice(.leftAway(_, let at, let own)) = $0 else { return nil }
            return [at, own]
        }
    }

    @Test func keysAtOtherPaths() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let (wallet, own) = (try bench.wallet(), bench.record.path)
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try manager(bench, person)
        let keys = try await manager.keys(at: [away], of: manager.card())
        #expect(keys.masterFingerprint == wallet.fingerprint)
        #expect(keys.accounts[away]?.publicKey == (try wallet.publicKey(away)))
        guard case .cvc(let request)? = person.entries.first, person.entries.count == 1 else {
            Issue.record("\(person.words)")
            return
        }
        #expect(request.purpose == .readAccount && request.card.ident == bench.ident)
        #expect(bench.store.card(bench.ident)?.fingerprint == wallet.fingerprint && bench.record.path == own)
    }

    @Test func aMessageAtAnotherPath() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let own = bench.record.path
        let path = try DerivationPath(parsing: "m/44h/1h/0h/0/7")
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try manager(bench, person)
        let signed = try await manager.sign(
            Array("It is I.".utf8), at: path, of: manager.card(), as: .p2pkh, network: .regtest)
        let key = try bench.wallet().publicKey(path)
        #expect(signed.address == Address(scriptPubKey: .p2pkh(key), network: .regtest))
        // What is signed, and by which key, is confirmed before the CVC is asked for.
        guard case .otherQuestion(.signMessage(let question))? = person.entries.first,
            case .cvc(let request)? = person.entries.last, person.entries.count == 2
        else {
            Issue.record("\(person.words)")
            return
        }
        #expect(question.message == Array("It is I.".utf8) && question.key == .path(path) && question.address == nil)
        // The request for the CVC has it, too: its window may be the only one that the person sees.
        #expect(request.purpose == .signMessage(question.message, by: .path(path), address: nil))
        #expect(bench.record.path == own)
    }

    /// A card that was chosen by a fingerprint proves it before it signs; one with another fingerprint signs nothing, and is known
    /// by its own from then on.
    @Test func onlyTheCardThatIsMeantSigns() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let (own, home) = (try bench.wallet().fingerprint, bench.record.path)
        let path = try DerivationPath(parsing: "m/44h/1h/0h/0/7")
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try manager(bench, person)
        let card = try await manager.card()
        let stale = try #require(Fingerprint([1, 2, 3, 4]))
        try manager.remember(card.status, fingerprint: stale)
        let error = await #expect(throws: CardSearchError.self) {
            try await manager.sign([1], at: path, of: card, as: .p2pkh, network: .test, expecting: stale)
        }
        guard case .otherFingerprint(_, stale, own)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(bench.store.card(bench.ident)?.fingerprint == own && bench.record.path == home)
        #expect(person.words == ["signMessage", "cvc"])
        let signed = try await manager.sign(
            [1], at: path, of: card, as: .p2pkh, network: .test, expecting: own)
        #expect(signed.address == Address(scriptPubKey: .p2pkh(try bench.wallet().publicKey(path)), network: .test))
        #expect(bench.record.path == home)
    }

    /// Of a card that nobody knows, the CVC is asked for once: for the message, which was shown before.
    @Test func aMessageIsShownBeforeTheCardIsKnown() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let (wallet, path) = (try bench.wallet(), try DerivationPath(parsing: "m/44h/1h/0h/0/7"))
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try manager(bench, person)
        let card = try await manager.card()
        let unproven = try #require(try manager.candidates(wallet.fingerprint, among: [card]))
        let signed = try await manager.sign([1], at: path, by: unproven, as: .p2pkh, network: .test)
        #expect(signed.address == Address(scriptPubKey: .p2pkh(try wallet.publicKey(path)), network: .test))
        #expect(person.words == ["signMessage", "cvc"])
        #expect(bench.store.card(bench.ident)?.fingerprint == wallet.fingerprint)
        // Now it is known, and cannot be any other.
        #expect(try manager.candidates(.zero, among: [card]) == nil)
        await #expect(throws: CardSearchError.self) {
            try await manager.sign([1], at: path, by: .unproven([card], .zero), as: .p2pkh, network: .test)
        }
    }

    /// Where a card is left that no CVC brings back is told, however the visit ended.
    @Test func aCardThatIsLeftAwayIsTold() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let own = try #require(bench.record.path)
        _ = try await bench.run { [away] driver in
            try driver.journal.record(.derive(DeriveState(from: away, to: own)))
            _ = try await driver.perform { try $0.setPath(away, cvc: CVC(FlowBench.cvc)) }
        }
        let stranger = ScriptedInteraction(cvc: "999999")
        let first = try manager(bench, stranger)
        let card = try await first.card()
        await #expect(throws: FlowError.self) { try await first.keys(at: [away], of: card) }
        await card.card.disconnect()
        #expect(left(stranger) == [[away, own]] && bench.record.path == away)

        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let second = try manager(bench, person)
        _ = try await second.keys(at: [away], of: second.card())
        #expect(left(person).isEmpty && bench.record.path == own && bench.store.flows().isEmpty)
    }

    /// Nobody is asked for the CVC of a card that has no extended key.
    @Test func aSatscardIsRefusedBeforeItsCVC() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(using: &generator)
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try manager(bench, person)
        await #expect(throws: FlowError.self) { try await manager.keys(at: [away], of: manager.card()) }
        #expect(person.entries.isEmpty)
    }
}

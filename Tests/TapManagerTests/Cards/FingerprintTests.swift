import Bitcoin
import FlowSupport
import SmartCard
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Cards that are chosen by the fingerprint of their master key: what is remembered comes first, and the card has the last word.
@Suite struct FingerprintTests {
    private let benches: [FlowBench]
    private let wanted: Fingerprint
    private let store = MemoryStore()

    init() async throws {
        var generator = SeededGenerator()
        benches = [try await FlowBench.ready(using: &generator), try await FlowBench.ready(using: &generator)]
        wanted = try benches[1].wallet().fingerprint
    }

    private func manager(_ person: any Interaction, patience: Patience? = nil) throws -> CardManager {
        CardManager(
            store: store, readers: [SimulatedBackend(benches.map(\.reader))], interaction: person, patience: patience,
            acceptedRoots: [try SimulatedFactory.standard.rootKey], clock: { UnixTime(seconds: 7) })
    }

    private func remember(_ bench: FlowBench, as fingerprint: Fingerprint) async throws {
        let status = try await TapCard(reader: bench.reader).perform { $0.status }
        store.save(CardRecord(status, fingerprint: fingerprint, lastSeen: UnixTime(seconds: 7)))
    }

    private func purposes(_ person: ScriptedInteraction) -> [CVCPurpose] {
        person.entries.compactMap { if case .cvc(let request) = $0 { request.purpose } else { nil } }
    }

    /// Cards that nobody knows prove theirs, one after the other; from then on nobody is asked.
    @Test func aCardThatNobodyKnowsProvesItsOwn() async throws {
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let card = try await manager(person).card(.fingerprint(wanted))
        #expect(card.ident == benches[1].ident && purposes(person) == [.identify, .identify])
        await card.card.disconnect()
        for bench in benches {
            #expect(store.card(bench.ident)?.fingerprint == (try bench.wallet().fingerprint))
            #expect(bench.record.path?.description == "m/84h/1h/0h")
        }
        let looking = try manager(NobodyToAsk())
        let known = try await looking.card(.fingerprint(wanted))
        #expect(known.ident == benches[1].ident)
        await known.card.disconnect()
        let nobody = await #expect(throws: CardSearchError.self) { try await looking.card(.fingerprint(.zero)) }
        guard case .noCard(.fingerprint(.zero), let others)? = nobody else {
            Issue.record("\(String(describing: nobody))")
            return
        }
        #expect(others.count == 2 && nobody?.code == .noCard)
    }

    /// What is remembered is a hint: a card that is taken for another does nothing, and no other is tried in its place.
    @Test func whatIsRememberedIsAHint() async throws {
        try await remember(benches[0], as: wanted)
        let (psbt, own) = (try benches[1].wallet().psbt(), try benches[0].wallet().fingerprint)
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try manager(person)
        let proven = await #expect(throws: CardSearchError.self) {
            try await manager.account(of: .fingerprint(wanted))
        }
        guard case .otherFingerprint(_, wanted, own)? = proven else {
            Issue.record("\(String(describing: proven))")
            return
        }
        #expect(store.card(benches[0].ident)?.fingerprint == own && purposes(person) == [.readAccount])
        // Now that it is known, the other one is found.
        #expect(try await manager.sign(psbt, with: .fingerprint(wanted)).signers.map(\.card) == [benches[1].ident])
    }

    /// Also who is not known yet is asked for the CVC only after what is signed was shown; a card that is another one signs
    /// nothing.
    @Test func whatIsSignedIsShownBeforeACardIsKnown() async throws {
        let psbt = try benches[1].wallet().psbt()
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let report = try await manager(person).sign(psbt, with: .fingerprint(wanted))
        #expect(report.result.transaction != nil && report.signers.map(\.card) == [benches[1].ident])
        #expect(person.words == ["first", "cvc", "first", "cvc", "review"])
        // The probes of the account and of the master key alone.
        #expect(benches[0].reader.exchangeCounts["sign"] == 2)
        #expect(benches[0].record.path?.description == "m/84h/1h/0h")

        // A no to the first is a no.
        let other = ScriptedInteraction(answer: { _ in throw ScriptedInteraction.Declined() }) { _ in FlowBench.cvc }
        for bench in benches { #expect(store.forgetCard(bench.ident)) }
        #expect(store.deleteTransaction(psbt.unsignedTransaction.id))
        await #expect(throws: ScriptedInteraction.Declined.self) {
            try await manager(other).sign(psbt, with: .fingerprint(wanted))
        }
        #expect(other.words == ["first"])
    }

    /// A card that turned out to be another one is taken away, and the one that is meant is waited for.
    @Test func theCardIsWaitedFor() async throws {
        benches[1].reader.pull()
        let person = ScriptedInteraction(give: { _ in FlowBench.cvc }) { [reader = benches[1].reader] in
            if case .request(.layCard) = $0 { reader.insert() }
        }
        let card = try await manager(person, patience: .unlimited).card(.fingerprint(wanted))
        #expect(card.ident == benches[1].ident)
        #expect(person.words == ["cvc", "obstacle", "request", "cvc"])
    }

    /// A CVC that was given for any card is tried on none of several that nobody knows; one for this card is.
    @Test func oneCVCIsNotTriedOnSeveralCards() async throws {
        let (psbt, choice) = (try benches[1].wallet().psbt(), CardChoice.fingerprint(wanted))
        let general = try manager(Giving())
        let refusal = await #expect(throws: CardSearchError.self) { try await general.card(choice) }
        guard case .unknownFingerprints(let cards)? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(Set(cards) == Set(benches.map(\.ident)) && refusal?.code == .ambiguousCard)
        await #expect(throws: CardSearchError.self) { try await general.account(of: choice) }
        await #expect(throws: CardSearchError.self) { try await general.sign(psbt, with: choice) }
        #expect(benches.allSatisfy { $0.reader.exchangeCounts["derive"] == nil && $0.watch.wrongCVCs == 0 })

        let naming = try manager(Giving(named: Set(benches.map(\.ident))))
        let card = try await naming.card(choice)
        #expect(card.ident == benches[1].ident)
        await card.card.disconnect()
        // Now both are known.
        #expect(try await general.sign(psbt, with: choice).signers.map(\.card) == [benches[1].ident])
    }

    /// Nor is it tried on the one that comes after another was taken away.
    @Test func oneCVCIsNotTriedOnTheNextCard() async throws {
        benches[1].reader.pull()
        let person = Giving { [reader = benches[1].reader] in if case .request(.layCard) = $0 { reader.insert() } }
        let refusal = await #expect(throws: CardSearchError.self) {
            try await manager(person, patience: .unlimited).card(.fingerprint(wanted))
        }
        #expect(refusal?.code == .ambiguousCard && store.card(benches[0].ident)?.fingerprint != nil)
        #expect(benches[1].reader.exchangeCounts["derive"] == nil)
    }

    /// Reading the fingerprints of all is no different.
    @Test func oneCVCShowsNoSeveralFingerprints() async throws {
        let general = try manager(Giving())
        var cards: [CardAtHand] = []
        for bench in benches {
            let card = TapCard(reader: bench.reader)
            cards.append(CardAtHand(card: card, status: try await card.perform { $0.status }, reader: bench.reader))
        }
        for card in cards {
            await #expect(throws: CardSearchError.self) { try await general.fingerprint(of: card, among: cards) }
        }
        #expect(benches.allSatisfy { store.card($0.ident) == nil })
        // A card on two readers is one.
        #expect(try await general.fingerprint(of: cards[1], among: [cards[1], cards[1]]) == wanted)
        #expect(store.card(benches[1].ident)?.fingerprint == wanted)
    }

    /// A wrong CVC ends it: no second card is tried with what the first refused.
    @Test func aWrongCVCEndsIt() async throws {
        let person = ScriptedInteraction(cvc: "999999")
        await #expect(throws: FlowError.self) { try await manager(person).card(.fingerprint(wanted)) }
        #expect(benches.map(\.watch.wrongCVCs) == [1, 0])
    }

    /// One that cannot have a master key is none that may be meant.
    @Test func whoMayBeMeant() async throws {
        var generator = SeededGenerator(for: "others")
        let others = [try FlowBench.satscard(using: &generator), try FlowBench(using: &generator)]
        var cards: [CardAtHand] = []
        for bench in benches + others + [try benches[0].copy()] {
            let card = TapCard(reader: bench.reader)
            cards.append(CardAtHand(card: card, status: try await card.perform { $0.status }, reader: bench.reader))
        }
        let nobody = FingerprintMatch(wanted, among: cards, known: [:])
        #expect(nobody.cards.map(\.ident) == benches.map(\.ident))
        let known = FingerprintMatch(wanted, among: cards, known: [cards[1].ident: wanted])
        guard case .known(let card) = known else {
            Issue.record("\(known)")
            return
        }
        #expect(card.ident == benches[1].ident)
        let rest = FingerprintMatch(wanted, among: cards, known: [cards[1].ident: .zero])
        #expect(rest.cards.map(\.ident) == [benches[0].ident])
    }

    /// Which card is meant is decided here, whatever front end asks: the first one, the one that is remembered, or one
    /// of those that have yet to prove theirs.
    @Test func whichCardIsMeant() async throws {
        var cards: [CardAtHand] = []
        for bench in benches {
            let card = TapCard(reader: bench.reader)
            cards.append(CardAtHand(card: card, status: try await card.perform { $0.status }, reader: bench.reader))
            await card.disconnect()
        }
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try manager(person)
        #expect(try manager.candidates(nil, among: []) == nil)
        #expect(try manager.candidates(wanted, among: []) == nil)
        // By its place: the first one, whatever its fingerprint.
        guard case .known(let first, nil)? = try manager.candidates(nil, among: cards) else {
            Issue.record("The first card is not meant.")
            return
        }
        #expect(first.ident == benches[0].ident)
        // By a fingerprint that nobody is known by: any of them, and each proves its own.
        let unproven = try #require(try manager.candidates(wanted, among: cards))
        guard case .unproven(let candidates, wanted) = unproven else {
            Issue.record("\(unproven)")
            return
        }
        #expect(candidates.map(\.ident) == benches.map(\.ident) && person.words.isEmpty)
        let found = try await manager.card(of: unproven)
        #expect(found.card.ident == benches[1].ident && found.fingerprint == wanted)
        #expect(person.words == ["cvc", "cvc"])
        // From then on it is known, and nobody is asked; the first one has to be what it proved to be.
        guard case .known(let card, wanted)? = try manager.candidates(wanted, among: cards),
            case .known(_, let expected?)? = try manager.candidates(nil, among: cards)
        else {
            Issue.record("The card is not known.")
            return
        }
        let firstFingerprint = try benches[0].wallet().fingerprint
        #expect(card.ident == benches[1].ident && expected == firstFingerprint)
        let again = try await manager.card(of: .known(card, wanted)).card
        #expect(again.ident == card.ident && person.words.count == 2)
        #expect(try manager.candidates(.zero, among: cards) == nil)
    }

    /// The card that is meant signs, after what is signed was shown; the others sign nothing.
    @Test func theCardThatIsMeantSigns() async throws {
        var cards: [CardAtHand] = []
        for bench in benches {
            let card = TapCard(reader: bench.reader)
            cards.append(CardAtHand(card: card, status: try await card.perform { $0.status }, reader: bench.reader))
            await card.disconnect()
        }
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try manager(person)
        let meant = try #require(try manager.candidates(wanted, among: cards))
        let report = try await manager.sign(try benches[1].wallet().psbt(), by: meant)
        #expect(report.signers.map(\.card) == [benches[1].ident] && report.result.transaction != nil)
        #expect(person.words == ["first", "cvc", "first", "cvc", "review"])
    }
}

/// Nobody is asked: CVCs came in advance, one for any card or one for some of them.
private struct Giving: Interaction {
    var named: Set<CardIdent> = []
    var hear: @Sendable (Notice) -> Void = { _ in }

    func confirm(_ question: Question) {}

    func cvc(for request: CVCRequest) throws -> CVC {
        if let refusal = request.refusal { throw refusal.error }
        return try CVC(FlowBench.cvc)
    }

    func hasOnlyGeneralCVC(for card: CardIdent) -> Bool { !named.contains(card) }

    func notice(_ notice: Notice) { hear(notice) }
}

import Bitcoin
import SmartCard
import TapProtocol

/// Every flow's access to one card. Each step has the card to itself; if the card is removed, a repeatable step waits
/// for the same card to return.
package struct CardDriver: Sendable {
    let card: TapCard
    let events: FlowEvents
    let journal: FlowJournal
    private let ident: CardIdent
    private let patience: Patience?
    private let customRoots: [PublicKey]
    private let simulated: SimulatedCards

    /// A driver of a card.
    /// - Parameters:
    ///   - ident: the card's ident; other cards are refused, and the user is asked to put this one back.
    ///   - patience: how long to wait for its return; `nil`: not at all.
    ///   - customRoots: factory roots accepted in addition to the maker's.
    ///   - journal: where flows that change the card record their progress.
    package init(
        card: TapCard, ident: CardIdent, patience: Patience? = nil, customRoots: [PublicKey] = [],
        journal: FlowJournal, events: @escaping FlowEvents = { _ in }
    ) {
        self.init(
            card: card, ident: ident, patience: patience, customRoots: customRoots, simulated: SimulatedCards(),
            journal: journal, events: events)
    }

    /// - Parameter simulated: the cards that are known to be simulated, including this one if its proof shows it.
    init(
        card: TapCard, ident: CardIdent, patience: Patience?, customRoots: [PublicKey], simulated: SimulatedCards,
        journal: FlowJournal, events: @escaping FlowEvents
    ) {
        self.simulated = simulated
        self.card = card
        self.ident = ident
        self.patience = patience
        self.customRoots = customRoots
        self.events = events
        self.journal = journal
    }

    /// Runs a step that may be repeated from its start if the card was removed: it only reads, or has the same effect
    /// when done twice. A damaged answer is also retried once: if the card left the field, the second try shows that;
    /// otherwise it was a transmission error.
    func perform<Result: Sendable>(
        repeatable step: @Sendable (TapSession) throws -> Result
    ) async throws(FlowError) -> Result {
        var isGarbleForgiven = false
        while true {
            do throws(FlowError) {
                return try await performOnce(step)
            } catch {
                if error.isGarbledAnswer, !isGarbleForgiven {
                    isGarbleForgiven = true
                } else {
                    guard try await hasReturned(after: error) else { throw error }
                    isGarbleForgiven = false
                }
            }
        }
    }

    /// Runs a step once. After a failure in mid-exchange, the caller finds out whether the card acted.
    /// - Throws: what `step` throws, `.interrupted` before it starts, and `.card(.anotherCard)`.
    func performOnce<Result: Sendable>(
        _ step: @Sendable (TapSession) throws -> Result
    ) async throws(FlowError) -> Result {
        guard !Task.isCancelled else { throw .interrupted }
        let (ident, simulated) = (ident, simulated)
        do {
            return try await card.perform { session in
                guard session.status.ident == ident else {
                    simulated.met(session)
                    throw Stranger(ident: session.status.ident)
                }
                return try step(session)
            }
        } catch let stranger as Stranger {
            // The line is bound to the first card that it saw: it must forget this one, or it would refuse the right
            // one.
            await card.disconnect()
            throw .card(.anotherCard(expected: ident, found: stranger.ident))
        } catch {
            throw FlowError(error)
        }
    }

    /// The first card on the reader is not this driver's.
    private struct Stranger: Error {
        let ident: CardIdent
    }

    /// Waits until a card is on the reader again, if the card or the reader was lost, or a different card was put
    /// there, and there is patience. The next step finds out whether it is the same card.
    /// - Returns: whether a card is there; false for any other failure, or without patience.
    func hasReturned(after failure: FlowError) async throws(FlowError) -> Bool {
        guard let patience, let event = waitingEvent(for: failure) else { return false }
        events(event)
        do {
            try await waitForReturn(patience.limit, isOccupied: !event.isAbsence)
        } catch {
            if Task.isCancelled { throw .interrupted }
            // The problem is what is on the reader, not the time.
            if !event.isAbsence, case TapError.reader(let error) = error, error.kind == .timedOut { throw failure }
            throw FlowError(error)
        }
        events(.cardReturned)
        return true
    }

    /// What is waited for after this failure; `nil`: nothing.
    private func waitingEvent(for failure: FlowError) -> FlowEvent? {
        switch failure {
        case .card(.reader(let lost)) where lost.isCardLost: .waitingForCard(ident)
        case .card(.reader(let lost)) where lost.isReaderLost: .waitingForReader(ident)
        case .card(.anotherCard(_, let found)): .wrongCard(found: found, expected: ident)
        case .card(.notATapCard): .unreadableCard(expected: ident)
        case .card(.reader(let mute)) where mute.kind == .cardMute: .unreadableCard(expected: ident)
        default: nil
        }
    }

    /// How long to wait before looking for a missing reader again.
    private static let readerPause = Duration.milliseconds(250)

    /// How often access to a reader may be refused: for five seconds. One that is plugged in again is the system
    /// administrator's until udev has given it its group.
    private static let mostDenials = 20

    /// Waits for a card, even while the reader or its service is gone.
    /// - Parameter isOccupied: whether a wrong card must be removed first.
    private func waitForReturn(_ limit: Duration?, isOccupied: Bool) async throws {
        let deadline = limit.map { ContinuousClock.now.advanced(by: $0) }
        var mustEmpty = isOccupied
        var denialsLeft = Self.mostDenials
        while true {
            let left = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
            do {
                if mustEmpty { try await card.waitForCard(isPresent: false, timeout: left) }
                mustEmpty = false
                return try await card.waitForCard(timeout: left)
            } catch TapError.reader(let error) where error.kind == .permissionDenied && denialsLeft > 0 && left != .zero
            {
                denialsLeft -= 1
                try await Task.sleep(for: Self.readerPause)
            } catch TapError.reader(let error) where error.isReaderLost || error.kind == .timedOut {
                guard left != .zero, error.isReaderLost else {
                    let absent = error.isReaderLost ? "The reader did not return. \(error.message)" : Self.lateCard
                    throw TapError.reader(ReaderError(.timedOut, absent, remedy: Self.whatToDoLater))
                }
                mustEmpty = false
                try await Task.sleep(for: Self.readerPause)
            }
        }
    }

    private static let lateCard = "The card did not return in time."
    private static let whatToDoLater = "Put it on the reader and try again."

    /// Runs a repeatable step that uses the CVC of a TAPSIGNER or SATSCHIP, after proving the card; it must have a key
    /// if `needsKey`.
    /// - Parameter task: the task, for the error's message.
    /// - Throws: what `performProven` throws, and `.notSetUp`.
    func performAuthenticated<Result: Sendable>(
        task: CardTask, on products: Set<CardProduct> = [.tapsigner, .satschip], needsKey: Bool = true,
        _ step: @Sendable (TapSession) throws -> Result
    ) async throws(FlowError) -> Result {
        try await performProven(
            task: task, on: products, isAllowed: { $0.isSetUp || !needsKey ? nil : .notSetUp },
            usesCVC: true
        ) { session, _ in try step(session) }
    }

    /// Runs a repeatable step. Before that, without releasing the card, it proves that an accepted factory made the
    /// card. If the step uses the CVC, it waits out a lockout.
    /// - Parameters:
    ///   - task: the task, for the error's message.
    ///   - products: those that can do it.
    ///   - isAllowed: why the card cannot do it now; `nil` if it can. Called before anything is sent, and again once
    ///     the card is proven.
    /// - Throws: `.wrongProduct`, `.notGenuine`, and what `isAllowed` and the step report.
    func performProven<Result: Sendable>(
        task: CardTask, on products: Set<CardProduct>, isAllowed: @Sendable (CardStatus) -> FlowError? = { _ in nil },
        usesCVC: Bool, _ step: @Sendable (TapSession, CardProof) throws -> Result
    ) async throws(FlowError) -> Result {
        events(.provingCard)
        var waits = 0
        while true {
            let (result, delay) = try await perform { session -> (Result?, Int) in
                guard products.contains(session.status.product) else {
                    throw FlowError.wrongProduct(session.status.product, task: task)
                }
                if let obstacle = isAllowed(session.status) { throw obstacle }
                let proof = try prove(session)
                events(.proven(proof.verdict, isSimulated: isSimulated(proof.verdict)))
                guard proof.verdict.isAccepted else { throw FlowError.notGenuine(proof.verdict) }
                // The proof may have led to a newer status.
                if let obstacle = isAllowed(session.status) { throw obstacle }
                let delay = session.status.authDelaySeconds
                return (delay == 0 || !usesCVC ? try step(session, proof) : nil, delay)
            }
            if let result { return result }
            guard waits < Self.mostWaits else { throw .card(.rateLimited(seconds: delay)) }
            waits += 1
            try await waitOffSecurityDelay()
        }
    }

    /// What the card proves about itself without its CVC.
    ///
    /// Wire: `read` (SATSCARD with a used slot), `check`, `certs`.
    /// - Returns: the proof, even for a card that no accepted factory made; `verdict` shows that.
    /// - Throws: `.card(.badProof)` if the certificates or the proofs of possession are invalid.
    package func prove() async throws(FlowError) -> CardProof {
        events(.provingCard)
        let proof = try await perform { try prove($0) }
        events(.proven(proof.verdict, isSimulated: isSimulated(proof.verdict)))
        return proof
    }

    /// Whether the card is known to be simulated, now that it is proven.
    func isSimulated(_ verdict: CertificateVerdict) -> Bool { simulated.proved(ident, verdict) }

    /// Proves the card, and that it is the one that the store remembers.
    private func prove(_ session: TapSession) throws -> CardProof {
        let proof = try session.proveCard(customRoots: customRoots)
        try journal.compare(proof)
        return proof
    }

    /// How often a lockout is waited out before one step: a card that always has another one never gets there.
    private static let mostWaits = 3

    /// Waits out the lockout after wrong CVCs, if there is one, so that the card accepts a CVC.
    ///
    /// Wire: `wait`, once for each second.
    /// - Throws: `.card(.rateLimited)` if the lockout does not get shorter, or is longer than any card's.
    package func waitOffSecurityDelay() async throws(FlowError) {
        var seconds = try await perform { try $0.refreshStatus().authDelaySeconds }
        guard seconds <= CardStatus.longestAuthDelay else { throw .card(.rateLimited(seconds: seconds)) }
        var waitsLeft = 2 * seconds
        while seconds > 0 {
            guard waitsLeft > 0 else { throw .card(.rateLimited(seconds: seconds)) }
            waitsLeft -= 1
            events(.securityDelay(seconds: seconds))
            seconds = try await perform { try $0.wait() }
        }
    }
}

extension FlowEvent {
    /// Whether nothing is on the reader that would have to be removed first.
    fileprivate var isAbsence: Bool {
        switch self {
        case .wrongCard, .unreadableCard: false
        default: true
        }
    }
}

extension FlowError {
    /// Whether the card's answer was cut short or altered, so that it is unknown what the card did. A reader that was silent
    /// for too long (`.timedOut`) is not asked again.
    var isGarbledAnswer: Bool {
        switch self {
        case .card(.statusWord), .card(.badResponse), .card(.notATapCard): true
        case .card(.reader(let error)): error.kind == .transportFailed
        default: false
        }
    }

    /// The error of a step on the card.
    init(_ error: any Error) {
        switch error {
        case let error as FlowError: self = error
        case let error as TapError: self = .card(error)
        case let error as ReaderError: self = .card(.reader(error))
        case is CancellationError: self = .interrupted
        default: self = .unexpected(String(describing: type(of: error)))
        }
    }
}

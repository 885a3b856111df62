import Bitcoin
import SmartCard
import TapProtocol

/// The way to one card for every flow: each step runs alone on the card, and when the card is taken away a step that
/// may be repeated waits for the same card's return.
public struct CardGate: Sendable {
    /// How long to wait for the card's return.
    public enum Patience: Sendable, Equatable {
        /// Until the person interrupts.
        case unlimited
        /// So long each time.
        case limited(Duration)

        fileprivate var limit: Duration? {
            switch self {
            case .unlimited: nil
            case .limited(let duration): duration
            }
        }
    }

    let card: TapCard
    let events: FlowEvents
    private let ident: CardIdent
    private let patience: Patience?
    private let customRoots: [PublicKey]

    /// A gate to a card.
    /// - Parameters:
    ///   - ident: the card's ident, for people who are asked to lay it back.
    ///   - patience: how long to wait for its return; `nil`: not at all.
    ///   - customRoots: factory roots accepted beside the maker's.
    public init(
        card: TapCard, ident: CardIdent, patience: Patience? = nil, customRoots: [PublicKey] = [],
        events: @escaping FlowEvents = { _ in }
    ) {
        self.card = card
        self.ident = ident
        self.patience = patience
        self.customRoots = customRoots
        self.events = events
    }

    /// Runs one step that may be repeated from its start after the card was taken away: it reads, or what it changes is
    /// the same when done twice.
    func perform<Result: Sendable>(
        repeatable step: @Sendable (TapSession) throws -> Result
    ) async throws(FlowError) -> Result {
        while true {
            do throws(FlowError) {
                return try await performOnce(step)
            } catch {
                guard try await hasReturned(after: error) else { throw error }
            }
        }
    }

    /// Runs one step once. After a failure in mid-exchange the caller finds out whether the card acted.
    func performOnce<Result: Sendable>(
        _ step: @Sendable (TapSession) throws -> Result
    ) async throws(FlowError) -> Result {
        guard !Task.isCancelled else { throw .interrupted }
        do {
            return try await card.perform(step)
        } catch {
            throw FlowError(error)
        }
    }

    /// Waits until the same card lies on the reader again, if it was lost and there is patience for it.
    /// - Returns: whether it is back; false when the failure is another one, or nobody shall wait.
    func hasReturned(after failure: FlowError) async throws(FlowError) -> Bool {
        guard case .card(.reader(let lost)) = failure, lost.isCardLost, let patience else { return false }
        events(.waitingForCard(ident))
        do {
            try await card.waitForCard(timeout: patience.limit)
        } catch {
            throw Task.isCancelled ? .interrupted : FlowError(error)
        }
        events(.cardReturned)
        return true
    }

    /// Runs one repeatable step that uses the CVC of a TAPSIGNER or SATSCHIP. Before it, in the same turn on the card: an
    /// accepted factory made the card, and it has a key if `needsKey`. A security delay is waited off.
    /// - Parameter task: what is to be done, for the error's message.
    /// - Throws: `.wrongProduct`, `.notSetUp`, `.notGenuine`, and what the step throws.
    func performAuthenticated<Result: Sendable>(
        task: String, needsKey: Bool = true, _ step: @Sendable (TapSession) throws -> Result
    ) async throws(FlowError) -> Result {
        events(.provingCard)
        while true {
            let result = try await perform { session -> Result? in
                guard session.status.product != .satscard else {
                    throw FlowError.wrongProduct(session.status.product, task: task)
                }
                guard session.status.isSetUp || !needsKey else { throw FlowError.notSetUp }
                try requireAccepted(try session.verifyCertificates(customRoots: customRoots))
                return session.status.authDelaySeconds == 0 ? try step(session) : nil
            }
            if let result { return result }
            try await waitOffSecurityDelay()
        }
    }

    /// Which root certified the card.
    ///
    /// Wire: `check`, `certs`.
    /// - Throws: `.card(.badProof)` when the certificates or the proof of possession prove nothing at all.
    public func verdict() async throws(FlowError) -> CertificateVerdict {
        events(.provingCard)
        return try await perform { try $0.verifyCertificates(customRoots: customRoots) }
    }

    /// Waits off the security delay that wrong CVCs left behind, if there is one, so that the next CVC is heard.
    ///
    /// Wire: `wait`, once for each second.
    public func waitOffSecurityDelay() async throws(FlowError) {
        var seconds = try await perform { try $0.refreshStatus().authDelaySeconds }
        while seconds > 0 {
            events(.securityDelay(seconds: seconds))
            seconds = try await perform { try $0.wait() }
        }
    }

    private func requireAccepted(_ verdict: CertificateVerdict) throws(FlowError) {
        switch verdict {
        case .genuine, .custom: return
        case .development, .unknown: throw .notGenuine(verdict)
        }
    }
}

extension FlowError {
    /// What a step on the card threw.
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

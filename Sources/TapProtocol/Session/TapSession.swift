import Bitcoin
import SmartCard

/// A selected card, for one step of a flow: its state, and the only way to send it commands.
///
/// Lent by `TapCard.perform`; belongs to the reader's thread and blocks it. Every response is parsed strictly and verified
/// before any of it is believed; only then does the card's state change.
public final class TapSession {
    /// What the card last reported about itself.
    public internal(set) var status: CardStatus

    let connection: CardConnection
    let trace: (@Sendable (TraceEvent) -> Void)?
    /// Keys that verified responses have shown.
    var knownKeys = KnownKeys()
    /// The root that the card's certificates lead to, once they have been requested.
    var certifiedRoot: PublicKey?
    /// What is known about the card's nonce; only `send` and selecting change it.
    var nonce: NonceState
    /// Where ephemeral keys and nonces come from.
    var random: any RandomNumberGenerator
    /// Wrong CVCs since the last right one in this session.
    var wrongCVCs = 0
    /// Which CVCs the card accepted, and which were sent without learning the outcome.
    var trials = CVCTrials()

    /// What is known about the card's nonce.
    enum NonceState {
        /// It was received in this transaction.
        case current([UInt8])
        /// It was received in an earlier one; another program may have used it up.
        case unchecked([UInt8])
        /// `status` must be asked.
        case unknown
    }

    /// Selects the card on a connection whose transaction has begun.
    init(
        connection: CardConnection, random: any RandomNumberGenerator, trace: (@Sendable (TraceEvent) -> Void)?
    ) throws(TapError) {
        self.connection = connection
        self.random = random
        self.trace = trace
        (status, nonce) = try Self.select(on: connection, trace)
    }

    /// How many commands have been transmitted to the card, SELECT included.
    public var exchangeCount: Int { connection.exchangeCount }

    /// Whether the card has accepted this CVC since the session began, so that it is known to be right.
    public func hasAccepted(_ cvc: CVC) -> Bool { trials.hasAccepted(cvc) }

    /// How many CVCs the card may have rejected in a row in this session: those it did reject, and those whose outcome is
    /// unknown.
    public var possibleWrongTries: Int { wrongCVCs + trials.lost }

    /// How many CVCs were sent in this session with an unknown outcome, since the card last accepted one.
    package var lostTries: Int { trials.lost }

    /// Selects the application again after the card lost power or was put back.
    /// - Throws: `TapError.anotherCard` if it is not the card that the session began with; `.notATapCard`, `.badResponse`,
    ///   `.badProof`, `.reader`.
    func selectAgain() throws(TapError) {
        nonce = .unknown
        let (status, nonce) = try Self.select(on: connection, trace)
        try StatusCommand.verify(status, against: self.status)
        self.status = status
        self.nonce = nonce
        trace?(.selectedAgain)
    }

    /// Records that other programs may have used the card since the last step.
    func noteInterval() {
        if case .current(let bytes) = nonce { nonce = .unchecked(bytes) }
    }

    private static func select(
        on connection: CardConnection, _ trace: (@Sendable (TraceEvent) -> Void)?
    ) throws(TapError) -> (CardStatus, NonceState) {
        let answer = try connection.transmit(try TapAPDU.select(), named: "select")
        guard answer.status == .success else { throw .notATapCard(answer.status) }
        let fields = try ResponseFields(command: "select", encoded: answer.data, trace: trace)
        if let refusal = try fields.refusal { throw .card(refusal, command: "select") }
        let status = try StatusCommand.status(from: fields)
        return (status, try fields.promisedCardNonce().map { .current($0) } ?? .unknown)
    }
}

import AnswerDocuments
import Bitcoin
import ExplainedErrors
import TapManager

/// `review`: what a PSBT does.
struct ReviewMethod: ServiceMethod {
    static let name = "review"
    static let summary = "What a PSBT does, with all findings; needs no card, and stores nothing."
    static let result = "As tapkit review --json."
    static let parameters: [any ParameterDescription] = [Parameter.psbt.required, Parameter.network]

    private let psbt: PSBT
    private let network: Network?

    init(_ arguments: Arguments) throws {
        psbt = try PSBT(text: try arguments.required(Parameter.psbt))
        network = try arguments.network()
    }

    func run(_ call: ServiceCall) -> ServiceAnswer {
        ServiceAnswer(ReviewDocument(call.manager.review(of: psbt, network: network)))
    }
}

/// `sign`: has cards sign.
struct SignMethod: ServiceMethod {
    static let name = "sign"
    static let summary =
        "Sign a PSBT, or a stored transaction, with every card that can help. What is signed is shown before a CVC is "
        + "asked for. Signatures are kept in the store, whatever ends this; the same call continues it."
    static let result = "As tapkit sign --json; incomplete: why signatures are missing."
    private static let strict = Parameter.flag(
        "strict", "Whether inputs are refused whose amount is not proven by their previous transaction.")
    private static let id = Parameter.text("id", "Instead: the id of a stored transaction, or its beginning.")
    static let parameters: [any ParameterDescription] =
        [Parameter.psbt, id, Self.strict, Parameter.network] + CardArguments.parameters

    private enum Subject: Sendable {
        case psbt(PSBT)
        case stored(String)
    }

    private let subject: Subject
    private let policy: SigningPolicy
    private let network: Network?
    private let options: CardArguments

    init(_ arguments: Arguments) throws {
        switch (try arguments.optional(Parameter.psbt), try arguments.optional(Self.id)) {
        case (let text?, nil): subject = .psbt(try PSBT(text: text))
        case (nil, let id?): subject = .stored(id)
        default: throw RPCFault(.invalidParams, "Give either psbt or id.")
        }
        policy = SigningPolicy(requiresProvenAmounts: try arguments.optional(Self.strict) ?? false)
        network = try arguments.network()
        options = try CardArguments(arguments)
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let manager = call.manager
        let stored: StoredTransaction? =
            if case .stored(let id) = subject { try manager.transaction(named: id) } else { nil }
        if let stored { try manager.requireOpen(stored) }
        let psbt = if case .psbt(let psbt) = subject { psbt } else { stored?.psbt }
        let isLeased = call.processor.leases.has(of: call.client.number)
        let spending =
            isLeased
            ? psbt.flatMap { LeasedSpending(manager.review(of: $0, network: network), storedIn: manager) } : nil
        let report = try await call.withCards(options, spending: spending) { manager in
            if let stored {
                return try await manager.sign(stored, with: options.choice, network: network, policy: policy)
            }
            guard case .psbt(let psbt) = subject else { throw RPCFault(.internalError, "There is nothing to sign.") }
            return try await manager.sign(psbt, with: options.choice, network: network, policy: policy)
        }
        return ServiceAnswer(SignedDocument(report, sentTo: nil))
    }
}

/// The answer to a signing, with why it is incomplete, or was not sent.
struct SignedDocument: Encodable {
    private let signing: SigningDocument
    private let incomplete: ProblemDocument?
    private let notSent: ProblemDocument?

    /// - Parameter notSent: why a server did not take it.
    init(_ report: SigningReport, sentTo server: String?, notSent: (any Error)? = nil) {
        var outcome = SigningOutcome(report: report)
        outcome.sentTo = server
        signing = SigningDocument(outcome, file: nil, isStored: report.isKept)
        incomplete = report.interruption.map(Self.problem)
        self.notSent = notSent.map(Self.problem)
    }

    private static func problem(_ error: any Error) -> ProblemDocument {
        guard let error = error as? any ExplainedError else {
            return ProblemDocument(code: .interrupted, message: "Interrupted.", hint: "")
        }
        return ProblemDocument(explaining: error)
    }

    private enum CodingKeys: String, CodingKey { case incomplete, notSent }

    func encode(to encoder: any Encoder) throws {
        try signing.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(incomplete, forKey: .incomplete)
        try container.encodeIfPresent(notSent, forKey: .notSent)
    }
}

extension PSBT {
    /// A PSBT as a client gives it.
    /// - Throws: `PSBTError`.
    init(text: String) throws { try self.init(fileContent: Array(text.utf8)) }
}

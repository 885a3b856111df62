import ExplainedErrors

extension ChainError: ExplainedError {
    /// The kind of failure, as all layers name it.
    public var code: ErrorCode {
        switch self {
        case .unreachable: .chainUnreachable
        case .tls(.pinChanged, _), .tls(.trustLost, _): .chainCertificateChanged
        case .tls: .chainTLS
        case .proxy: .chainProxy
        case .unauthorized: .chainUnauthorized
        case .rateLimited: .chainRateLimited
        case .notReady: .chainNotReady
        case .serverError: .chainServerError
        case .malformed: .chainMalformed
        case .tooLarge: .chainTooLarge
        case .wrongNetwork: .chainWrongNetwork
        case .liar: .chainLied
        case .unsupported: .chainUnsupported
        case .rejected: .transactionRejected
        case .cancelled: .interrupted
        }
    }

    /// What happened, as sentences; of the server's own words only what `ServerText` lets through.
    public var message: String { statement.asSentence }

    /// What to do about it; empty when there is nothing to add.
    public var remedy: String { advice.asSentence }

    /// The server that is not who it was; `nil` otherwise.
    public var subject: ErrorSubject? {
        switch self {
        case .tls(.pinChanged(let server, _, _), _), .tls(.trustLost(let server), _): .server(server)
        default: nil
        }
    }

    /// What happened, in words that others go on from.
    private var statement: String {
        switch self {
        case .unreachable(let why, let detail): Self.with(detail, why.message)
        case .tls(let why, let detail): Self.with(detail, why.message)
        case .proxy(let detail): Self.with(detail, "the proxy did not let the connection through")
        case .unauthorized(let detail): Self.with(detail, "the chain server refuses the user or password")
        case .rateLimited(let after?): "the chain server asks to wait \(after.components.seconds) s"
        case .rateLimited(nil): "the chain server has been asked too much"
        case .notReady(let text): "the chain server is not ready yet: \(text)"
        case .serverError(let status?, let text):
            Self.with(text.description, "the chain server failed with status \(status)")
        case .serverError(nil, let text): Self.with(text.description, "the chain server failed")
        case .malformed(let what): "the chain server's answer is not as the protocol says: \(what)"
        case .tooLarge(let limit, let bound): "\(bound.message) \(limit)\(bound.unit)"
        case .wrongNetwork(let found, let wanted): "the chain server is on \(found), not on \(wanted)"
        case .liar(let what): "the chain server's answer is untrue: \(what)"
        case .unsupported(let what): what
        case .rejected(let reason): "the transaction was rejected: \(reason)"
        case .cancelled: "the wait for the chain server was ended"
        }
    }

    private var advice: String {
        switch self {
        case .unreachable(.name, _): "check the host's name and this machine's network"
        case .unreachable(.refused, _): "check host and port, and that the server runs"
        case .unreachable: "try again later, or use another server"
        case .tls(.pinChanged(let server, _, _), _):
            "if the server's owner confirms the new certificate, let what is remembered of \(server) be forgotten, and "
                + "connect again"
        case .tls(.trustLost(let server), _):
            "somebody may be answering in its place: use another network or another server. If the server's owner confirms "
                + "the change, let what is remembered of \(server) be forgotten, and connect again"
        case .tls(.cleartextCredentials, _):
            "use https://, or a tunnel to this machine; ?cleartext=yes behind the address sends them all the same"
        case .tls(.wrongHost, _): "use the host name that the certificate is for"
        case .tls(.untrusted, _): "give the authority's certificate, or use another server"
        case .tls(.handshake, _): "check the port: it may be the one without TLS (:t)"
        case .tls(.settings, _): "check the file with certificates"
        case .proxy: "check the proxy's address and that it runs"
        case .unauthorized: "check user and password, or the cookie file of the running node"
        case .rateLimited: "wait, or use another server"
        case .notReady: "try again when it is, or use another server"
        case .serverError, .malformed, .liar: "use another server"
        case .tooLarge: "ask for less, or use a server of your own"
        case .wrongNetwork: "name the network, or use another server"
        case .unsupported, .rejected, .cancelled: ""
        }
    }

    private static func with(_ detail: String, _ message: String) -> String {
        detail.isEmpty ? message : "\(message): \(detail)"
    }
}

extension ChainError: CustomStringConvertible {
    /// The message, then the remedy in brackets.
    public var description: String { remedy.isEmpty ? message : "\(message) (\(remedy))" }
}

extension ChainError.Bound {
    fileprivate var message: String {
        switch self {
        case .answer: "the chain server's answer is larger than"
        case .values: "the chain server's answer has more values than"
        case .transaction: "the chain server gives a transaction that is larger than"
        case .history: "the chain server tells more transactions of one script than"
        case .notifications: "the chain server sends more notifications at a time than"
        case .conversation: "the chain server's answers are together larger than"
        case .wallet: "the transactions that the chain server tells of the wallet are together larger than"
        }
    }

    fileprivate var unit: String {
        switch self {
        case .answer, .transaction, .conversation, .wallet: " bytes"
        case .values, .history, .notifications: ""
        }
    }
}

extension ChainError.Unreachable {
    fileprivate var message: String {
        switch self {
        case .name: "the chain server's name cannot be resolved"
        case .refused: "nothing takes connections at the chain server's address"
        case .timedOut: "the chain server did not answer in time"
        case .closed: "the chain server ended the connection"
        }
    }
}

extension ChainError.Insecure {
    fileprivate var message: String {
        switch self {
        case .wrongHost: "the chain server's certificate is for another host"
        case .untrusted: "the chain server's certificate is of no known authority"
        case .pinChanged(let server, let known, let found):
            "\(server) shows another certificate (\(found)) than before (\(known))"
        case .trustLost(let server): "\(server) proved more before who it is than it does now"
        case .cleartextCredentials:
            "user and password would go to another machine over a connection that others can read"
        case .handshake: "no secure connection to the chain server"
        case .settings: "the certificates to trust cannot be read"
        }
    }
}

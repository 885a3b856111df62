import ExplainedErrors

extension ChainError: ExplainedError {
    /// The kind of failure, as named in all layers.
    public var code: ErrorCode {
        switch self {
        case .unreachable: .chainUnreachable
        case .tls(.pinChanged, _), .tls(.trustLost, _): .chainCertificateChanged
        case .tls(.notStored(let code), _): code
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

    /// What happened, as sentences; the server's own words pass through `ServerText`.
    public var message: String { statement.asSentence }

    /// What to do about it; empty when there is nothing to add.
    public var remedy: String { advice.asSentence }

    /// The server whose identity changed; `nil` otherwise.
    public var subject: ErrorSubject? {
        switch self {
        case .tls(.pinChanged(let server, _, _), _), .tls(.trustLost(let server), _): .server(server)
        default: nil
        }
    }

    /// What happened, as a phrase that can be continued.
    private var statement: String {
        switch self {
        case .unreachable(let why, let detail): Self.with(detail, why.message)
        case .tls(let why, let detail): Self.with(detail, why.message)
        case .proxy(let detail): Self.with(detail, "the proxy did not allow the connection")
        case .unauthorized(let detail): Self.with(detail, "the chain server rejects the user name or password")
        case .rateLimited(let after?): "the chain server asks for a pause of \(after.components.seconds) s"
        case .rateLimited(nil): "the chain server is limiting requests"
        case .notReady(let text): "the chain server is not ready yet: \(text)"
        case .serverError(let status?, let text):
            Self.with(text.description, "the chain server failed with status \(status)")
        case .serverError(nil, let text): Self.with(text.description, "the chain server failed")
        case .malformed(let what): "the chain server's answer does not follow the protocol: \(what)"
        case .tooLarge(let limit, let bound): "\(bound.message) \(limit)\(bound.unit)"
        case .wrongNetwork(let found, let wanted): "the chain server is on \(found), not on \(wanted)"
        case .liar(let what): "the chain server's answer is false: \(what)"
        case .unsupported(let what): what
        case .rejected(let reason): "the transaction was rejected: \(reason)"
        case .cancelled: "the request to the chain server was cancelled"
        }
    }

    private var advice: String {
        switch self {
        case .unreachable(.name, _): "check the host name and this machine's network"
        case .unreachable(.refused, _): "check host and port, and that the server is running"
        case .unreachable: "try again later, or use another server"
        case .tls(.pinChanged(let server, _, _), _):
            "if the server's owner confirms the new certificate, remove the stored certificate of \(server) and "
                + "connect again"
        case .tls(.trustLost(let server), _):
            "someone may be impersonating it: use another network or another server. If the server's owner confirms "
                + "the change, remove the stored certificate of \(server) and connect again"
        case .tls(.cleartextCredentials, _):
            "use https://, or a tunnel to this machine; to send them anyway, add ?cleartext=yes to the address"
        case .tls(.wrongHost, _): "use the host name that the certificate is for"
        case .tls(.untrusted, _): "provide the authority's certificate, or use another server"
        case .tls(.handshake, _): "check the port: it may be the one without TLS (:t)"
        case .tls(.settings, _): "check the certificate file"
        case .tls(.notStored(.diskFull), _): "free some space, then try again"
        case .tls(.notStored, _): "check the folder and its permissions"
        case .proxy: "check the proxy's address, and that it is running"
        case .unauthorized: "check user name and password, or the cookie file of the running node"
        case .rateLimited: "wait, or use another server"
        case .notReady: "try again later, or use another server"
        case .serverError, .malformed, .liar: "use another server"
        case .tooLarge: "ask for less, or use your own server"
        case .wrongNetwork: "choose the network, or use another server"
        case .rejected(let reason) where reason.saysTooEarly:
            "according to the server a lock of the transaction is not open yet: check its locks, or ask another server"
        case .unsupported(let what) where what.hasPrefix(CoreAnswer.walletNotLoaded):
            "load it in Bitcoin Core with loadwallet, or correct the wallet's name in the server's address"
        case .unsupported, .rejected, .cancelled: ""
        }
    }

    private static func with(_ detail: String, _ message: String) -> String {
        detail.isEmpty ? message : "\(message): \(detail)"
    }
}

extension ServerText {
    /// Whether a node's reason is that a lock is not open.
    ///
    /// Spec: Bitcoin Core's `TxValidationState`: `non-final`, `non-BIP68-final`.
    fileprivate var saysTooEarly: Bool { ["non-final", "non-BIP68-final"].contains { description.contains($0) } }
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
        case .transaction: "the chain server sent a transaction larger than"
        case .history: "the chain server lists more transactions for one script than"
        case .notifications: "the chain server sends more notifications at once than"
        case .conversation: "the chain server's answers together are larger than"
        case .wallet: "the wallet's transactions from the chain server together are larger than"
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
        case .refused: "nothing accepts connections at the chain server's address"
        case .timedOut: "the chain server did not answer in time"
        case .closed: "the chain server closed the connection"
        }
    }
}

extension ChainError.Insecure {
    fileprivate var message: String {
        switch self {
        case .wrongHost: "the chain server's certificate is for another host"
        case .untrusted: "the chain server's certificate is not from a known authority"
        case .pinChanged(let server, let known, let found):
            "\(server) has a new certificate (\(found)); before it was \(known)"
        case .trustLost(let server): "\(server) gives weaker proof of its identity than before"
        case .cleartextCredentials:
            "user name and password would be sent unencrypted to another machine"
        case .handshake: "no secure connection to the chain server could be made"
        case .settings: "the trusted certificates cannot be read"
        case .notStored: "how the chain server proves its identity cannot be stored"
        }
    }
}

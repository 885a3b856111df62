import Bitcoin
import ExplainedErrors

/// Why a request to a chain server failed. Contains no password; the server's text is `ServerText`.
public enum ChainError: Error, Hashable, Sendable {
    /// Why there is no connection.
    public enum Unreachable: Hashable, Sendable {
        /// The host name cannot be resolved.
        case name
        /// Nothing listens there, or the connection is blocked.
        case refused
        /// Nothing arrived in time.
        case timedOut
        /// The connection ended in the middle.
        case closed
    }

    /// Why a connection is not secure.
    public enum Insecure: Hashable, Sendable {
        /// The certificate is for another host.
        case wrongHost
        /// The certificate is not from a known authority or has expired, and pins are not stored.
        case untrusted
        /// The certificate differs from the previous one.
        case pinChanged(server: String, known: CertificateFingerprint, found: CertificateFingerprint)
        /// The server proved its identity better before: with an authority's certificate, or with any certificate.
        case trustLost(server: String)
        /// User and password, or this machine's cookie, would be sent unencrypted to another machine.
        case cleartextCredentials
        /// The other side does not use TLS, or only an unsafe version.
        case handshake
        /// The file with additional authorities, or the pins, cannot be used.
        case settings
        /// How the server proves its identity cannot be stored, for the reason with this code: `disk_full` or
        /// `cannot_write`.
        case notStored(ErrorCode)
    }

    /// What there can be too much of.
    public enum Bound: Hashable, Sendable {
        /// Bytes of one answer.
        case answer
        /// Values in the JSON of one answer.
        case values
        /// Bytes of one transaction.
        case transaction
        /// Transactions of one script.
        case history
        /// Notifications that have not been read yet.
        case notifications
        /// Bytes of all answers to one task, such as scanning a wallet.
        case conversation
        /// Bytes of one wallet's transactions.
        case wallet
    }

    /// No connection, or one that broke.
    case unreachable(Unreachable, detail: String)
    /// No secure connection.
    case tls(Insecure, detail: String)
    /// The proxy cannot be reached or refuses.
    case proxy(detail: String)
    /// The server requires a user and password or a cookie, or rejects those given.
    case unauthorized(detail: String)
    /// The server limits requests; for this long, if it says so.
    case rateLimited(retryAfter: Duration?)
    /// The server cannot answer correctly yet: it is starting, syncing, or busy.
    case notReady(ServerText)
    /// The server reports an error.
    case serverError(status: Int?, message: ServerText)
    /// The answer does not follow the protocol.
    case malformed(String)
    /// The answer exceeds a limit.
    case tooLarge(limit: Int, of: Bound = .answer)
    /// The server is on a different chain.
    case wrongNetwork(found: ServerText, wanted: Network)
    /// The answer is provably false.
    case liar(String)
    /// This kind of server, or this server, does not support the request.
    case unsupported(String)
    /// The network's rules do not allow the transaction.
    case rejected(reason: ServerText)
    /// The caller cancelled the request.
    case cancelled
}

extension ChainError {
    /// Whether the same request may succeed a little later.
    var isTransient: Bool {
        switch self {
        case .unreachable(.timedOut, _), .unreachable(.closed, _), .rateLimited, .notReady: true
        case .serverError(let status?, _): (500...599).contains(status)
        default: false
        }
    }
}

import Bitcoin

/// Why a chain server did not give what it was asked for. Holds no password; text of the server's is `ServerText`.
public enum ChainError: Error, Hashable, Sendable {
    /// Why there is no connection.
    public enum Unreachable: Hashable, Sendable {
        /// The host's name cannot be resolved.
        case name
        /// Nobody listens there, or the way is barred.
        case refused
        /// Nothing came in time.
        case timedOut
        /// The connection ended in the middle.
        case closed
    }

    /// Why a connection is not secure.
    public enum Insecure: Hashable, Sendable {
        /// The certificate is for another host.
        case wrongHost
        /// The certificate is of no known authority, or has expired, and there is nobody to remember it.
        case untrusted
        /// The certificate is another one than before.
        case pinChanged(server: String, known: CertificateFingerprint, found: CertificateFingerprint)
        /// The server was known by a certificate that an authority vouches for, or at all, and now shows less.
        case trustLost(server: String)
        /// User and password, or this machine's cookie, would go to another machine for all to read.
        case cleartextCredentials
        /// The other side speaks no TLS, or none that is still safe.
        case handshake
        /// The file with additional authorities, or the pins, cannot be used.
        case settings
    }

    /// What a server may not give too much of.
    public enum Bound: Hashable, Sendable {
        /// Bytes of one answer.
        case answer
        /// Values in the JSON of one answer.
        case values
        /// Bytes of one transaction.
        case transaction
        /// Transactions of one script.
        case history
        /// Notifications that nobody has taken yet.
        case notifications
        /// Bytes of all answers to one task, such as looking through a wallet.
        case conversation
        /// Bytes of transactions that concern one wallet.
        case wallet
    }

    /// No connection, or none that lasted.
    case unreachable(Unreachable, detail: String)
    /// No secure connection.
    case tls(Insecure, detail: String)
    /// The proxy is not there or refuses.
    case proxy(detail: String)
    /// The server wants a user and password, a cookie, or other ones.
    case unauthorized(detail: String)
    /// The server asks to be left alone, for this long when it says so.
    case rateLimited(retryAfter: Duration?)
    /// The server cannot tell the truth yet: it starts, still reads blocks, or has no time.
    case notReady(ServerText)
    /// The server says that it cannot.
    case serverError(status: Int?, message: ServerText)
    /// The answer is not what the protocol says.
    case malformed(String)
    /// There is more than what is taken.
    case tooLarge(limit: Int, of: Bound = .answer)
    /// The server knows another chain.
    case wrongNetwork(found: ServerText, wanted: Network)
    /// The answer is provably untrue.
    case liar(String)
    /// This backend cannot do it, or not with this server.
    case unsupported(String)
    /// The network's rules forbid the transaction.
    case rejected(reason: ServerText)
    /// The caller ended the wait.
    case cancelled
}

extension ChainError {
    /// Whether the same request may well succeed a little later.
    var isTransient: Bool {
        switch self {
        case .unreachable(.timedOut, _), .unreachable(.closed, _), .rateLimited, .notReady: true
        case .serverError(let status?, _): (500...599).contains(status)
        default: false
        }
    }
}

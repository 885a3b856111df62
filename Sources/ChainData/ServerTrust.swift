import ExplainedErrors

/// How a server is known to be itself. It only ever rises: who answers in a server's place has less to show.
public enum ServerTrust: Hashable, Sendable, CustomStringConvertible {
    /// By nothing: the connection is not secure.
    case plain
    /// By a certificate of its own making, the same each time.
    case pinned(CertificateFingerprint)
    /// By a certificate that an authority vouches for.
    case authority

    /// Reads what `description` writes; `nil` for anything else.
    public init?(parsing text: String) {
        switch text {
        case "plain": self = .plain
        case "authority": self = .authority
        default:
            guard let pin = CertificateFingerprint(parsing: text) else { return nil }
            self = .pinned(pin)
        }
    }

    /// `plain`, `authority`, or the fingerprint of a certificate in hexadecimal digits.
    public var description: String {
        switch self {
        case .plain: "plain"
        case .pinned(let pin): pin.description
        case .authority: "authority"
        }
    }

    /// Whether a server that was known so may be known like that from now on: by no less, and by no other certificate.
    public func mayBecome(_ next: ServerTrust) -> Bool {
        switch (self, next) {
        case (_, .authority), (.plain, _): true
        case (.pinned(let known), .pinned(let found)): known == found
        case (.pinned, .plain), (.authority, _): false
        }
    }
}

extension CertificatePins {
    /// Confirms that a server may be known like this now, and remembers it where that is new. Not secure connections within
    /// this machine are not worth remembering.
    /// - Throws: `ChainError.tls`: `.pinChanged`, `.trustLost`; `.settings` when what is remembered cannot be read or kept.
    func require(_ trust: ServerTrust, of server: String, isLocal: Bool) throws(ChainError) {
        let known: ServerTrust?
        do {
            known = try self.trust(in: server)
            if known?.mayBecome(trust) ?? true, known != trust, !(trust == .plain && isLocal) {
                try save(trust, in: server)
            }
        } catch {
            let words = (error as? any ExplainedError).map { "\($0.message) \($0.remedy)" } ?? "\(error)"
            throw .tls(.settings, detail: ServerText(words).description)
        }
        guard let known, !known.mayBecome(trust) else { return }
        if case .pinned(let pin) = known, case .pinned(let found) = trust {
            throw .tls(.pinChanged(server: server, known: pin, found: found), detail: "")
        }
        throw .tls(.trustLost(server: server), detail: "")
    }
}

import ExplainedErrors

/// How a server proves its identity. The level never drops: an impostor has weaker proof.
public enum ServerTrust: Hashable, Sendable, CustomStringConvertible {
    /// Not at all: the connection is not secure.
    case plain
    /// With a self-signed certificate, the same each time.
    case pinned(CertificateFingerprint)
    /// With a certificate that an authority vouches for.
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

    /// Whether a server that proved its identity this way may now prove it that way: not weaker, not another certificate.
    public func mayBecome(_ next: ServerTrust) -> Bool {
        switch (self, next) {
        case (_, .authority), (.plain, _): true
        case (.pinned(let known), .pinned(let found)): known == found
        case (.pinned, .plain), (.authority, _): false
        }
    }
}

extension CertificatePins {
    /// Checks that a server may prove its identity this way, and stores it if that is new. Insecure connections within this
    /// machine are not stored.
    /// - Throws: `ChainError.tls`: `.pinChanged`, `.trustLost`; `.notStored` when the disk is full or cannot be
    ///   written; `.settings` when pins cannot be used for another reason.
    func require(_ trust: ServerTrust, of server: String, isLocal: Bool) throws(ChainError) {
        let known: ServerTrust?
        do {
            known = try self.trust(in: server)
            if known?.mayBecome(trust) ?? true, known != trust, !(trust == .plain && isLocal) {
                try save(trust, in: server)
            }
        } catch {
            let explained = error as? any ExplainedError
            if let explained, [ErrorCode.diskFull, .cannotWrite].contains(explained.code) {
                throw .tls(.notStored(explained.code), detail: ServerText(explained.message).description)
            }
            let words = explained.map { "\($0.message) \($0.remedy)" } ?? "\(error)"
            throw .tls(.settings, detail: ServerText(words).description)
        }
        guard let known, !known.mayBecome(trust) else { return }
        if case .pinned(let pin) = known, case .pinned(let found) = trust {
            throw .tls(.pinChanged(server: server, known: pin, found: found), detail: "")
        }
        throw .tls(.trustLost(server: server), detail: "")
    }
}

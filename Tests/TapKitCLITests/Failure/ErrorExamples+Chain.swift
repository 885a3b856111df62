import ChainData

extension ChainError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .unreachable(.name, detail: "no such host") }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .unreachable: .tls(.handshake, detail: "")
        case .tls: .proxy(detail: "")
        case .proxy: .unauthorized(detail: "status 401")
        case .unauthorized: .rateLimited(retryAfter: .seconds(9))
        case .rateLimited: .notReady(ServerText("Loading block index…"))
        case .notReady: .serverError(status: 500, message: ServerText("Oops!"))
        case .serverError: .malformed("no JSON")
        case .malformed: .tooLarge(limit: 9)
        case .tooLarge: .wrongNetwork(found: ServerText("test"), wanted: .main)
        case .wrongNetwork: .liar("the proof does not fit")
        case .liar: .unsupported("esplora servers do not look through blocks")
        case .unsupported: .rejected(reason: ServerText("insufficient fee"))
        case .rejected: .cancelled
        case .cancelled: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] {
        let pins = (server: "example.org:50002", certificate: sample.certificate)
        let insecure: [Insecure] = [
            .wrongHost, .untrusted, .cleartextCredentials, .settings, .notStored(.diskFull), .notStored(.cannotWrite),
            .trustLost(server: pins.server),
            .pinChanged(server: pins.server, known: pins.certificate, found: pins.certificate),
        ]
        let unreachable: [Unreachable] = [.refused, .timedOut, .closed]
        let bounds: [Bound] = [.values, .transaction, .history, .notifications, .conversation, .wallet]
        return insecure.map { .tls($0, detail: "") } + unreachable.map { .unreachable($0, detail: "") }
            + bounds.map { .tooLarge(limit: 9, of: $0) }
            + [.rateLimited(retryAfter: nil), .serverError(status: nil, message: ServerText(""))]
    }
}

extension ChainServerError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .kind }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .kind: .electrum("the port is missing")
        case .electrum: .url("it has no host")
        case .url: nil
        }
    }
}

import Bitcoin
import ByteCodec

extension ElectrumSource {
    /// The longest wait on a connection without a sign of life.
    private static let longestSilence: Duration = .seconds(60)

    func waitForChange(of scripts: [Script], timeout: Duration) async throws(ChainError) -> Bool {
        let deadline = settings.now() + max(timeout, .zero)
        let hashes = scripts.map(\.electrumHash)
        while true {
            budget.renew()
            let connection = try await connected()
            try await subscribe(hashes)
            try takeNotifications(of: connection)
            if watch.takeChanges(of: hashes) { return true }
            let left = deadline - settings.now()
            guard left > .zero else { return false }
            try await waitForNotification(of: connection, for: min(left, Self.longestSilence))
        }
    }

    /// Subscribes to the tip and the scripts, except those that this connection already covers.
    private func subscribe(_ hashes: [String]) async throws(ChainError) {
        let missing = watch.missing(of: hashes)
        var requests = [ElectrumRequest(method: "blockchain.headers.subscribe", parameters: [])]
        requests += missing.map {
            ElectrumRequest(method: "blockchain.scripthash.subscribe", parameters: [.string($0)])
        }
        var answers = try await calls(requests)[...]
        guard let first = answers.popFirst(), answers.count == missing.count else {
            throw .malformed("the number of answers differs from the number of requests")
        }
        watch.note(try Self.tip(try first.value()))
        for (hash, answer) in zip(missing, answers) {
            watch.subscribe(hash, try Self.status(try answer.value()))
        }
    }

    private func takeNotifications(of connection: ElectrumConnection) throws(ChainError) {
        for notification in connection.takeNotifications() {
            let parameters = try notification.required("params").elements("params")
            switch notification["method"]?.string {
            case "blockchain.headers.subscribe":
                guard let header = parameters.first else { throw .malformed("a notification without a header") }
                watch.note(try Self.tip(header))
            case "blockchain.scripthash.subscribe":
                guard parameters.count == 2, let hash = parameters[0].string else {
                    throw .malformed("a notification without a script's hash")
                }
                watch.note(hash, try Self.status(parameters[1]))
            default: break
            }
        }
    }

    private static func status(_ answer: JSONValue) throws(ChainError) -> String? {
        if answer.isNull { return nil }
        guard let text = answer.string, text.utf8.count <= 64 else { throw .malformed("a script's state is not text") }
        return text
    }

    private func waitForNotification(of connection: ElectrumConnection, for time: Duration) async throws(ChainError) {
        let next = connection.nextNotification()
        let timer = Task { [settings] in
            try? await settings.sleep(time)
            next.give(.success(false))
        }
        defer { timer.cancel() }
        switch await next.value() {
        case .success: break
        // A closed connection is reopened, and missed changes are found then.
        case .failure(let error) where error.isTransient: break
        case .failure(let error): throw error
        }
    }
}

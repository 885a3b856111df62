import Bitcoin

extension ElectrumSource {
    func waitForChange(of scripts: [Script], timeout: Duration) async throws(ChainError) -> Bool {
        let deadline = settings.now() + max(timeout, .zero)
        let hashes = scripts.map(\.electrumHash)
        while true {
            let connection = try await connected()
            if try await subscribe(hashes) { return true }
            if try takeNotifications(of: connection, Set(hashes)) { return true }
            let left = deadline - settings.now()
            guard left > .zero else { return false }
            try await waitForNotification(of: connection, for: left)
        }
    }

    /// Asks to be told of the tip and the scripts, as far as this connection does not tell of them already.
    /// - Returns: whether something has changed since it was told last.
    private func subscribe(_ hashes: [String]) async throws(ChainError) -> Bool {
        let missing = watch.missing(of: hashes)
        var requests = [ElectrumRequest(method: "blockchain.headers.subscribe", parameters: [])]
        requests += missing.map {
            ElectrumRequest(method: "blockchain.scripthash.subscribe", parameters: [.string($0)])
        }
        var answers = try await calls(requests)[...]
        guard let first = answers.popFirst(), answers.count == missing.count else {
            throw .malformed("another number of answers than of requests")
        }
        var hasChanged = watch.note(try Self.tip(try first.value()))
        for (hash, answer) in zip(missing, answers) {
            if watch.note(hash, try Self.status(try answer.value()), isAnswer: true) { hasChanged = true }
        }
        return hasChanged
    }

    private func takeNotifications(
        of connection: ElectrumConnection, _ hashes: Set<String>
    ) throws(ChainError) -> Bool {
        var hasChanged = false
        for notification in connection.takeNotifications() {
            let parameters = try notification.required("params").elements("params")
            switch notification["method"]?.string {
            case "blockchain.headers.subscribe":
                guard let header = parameters.first else { throw .malformed("a notification without a header") }
                if watch.note(try Self.tip(header)) { hasChanged = true }
            case "blockchain.scripthash.subscribe":
                guard parameters.count == 2, let hash = parameters[0].string else {
                    throw .malformed("a notification without a script's hash")
                }
                let differs = watch.note(hash, try Self.status(parameters[1]), isAnswer: false)
                if differs, hashes.contains(hash) { hasChanged = true }
            default: break
            }
        }
        return hasChanged
    }

    private static func status(_ answer: JSONValue) throws(ChainError) -> String? {
        if answer.isNull { return nil }
        guard let text = answer.string, text.utf8.count <= 64 else { throw .malformed("a script's state is no text") }
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
        // A connection that ends is made again, and what it missed is found then.
        case .failure(.cancelled) where Task.isCancelled: throw .cancelled
        case .failure(.cancelled): throw .cancelled
        case .failure(let error) where error.isTransient: break
        case .failure(let error): throw error
        }
    }
}

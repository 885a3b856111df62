import Synchronization
import Threads

/// Requests to one server: limited in number, size and time, each retried after temporary failures.
final class HTTPClient: Sendable {
    private let base: ServerURL
    private let settings: ChainSettings
    private let loop = Mutex<HTTPLoop?>(nil)
    /// Checks and stores how the server proves its identity.
    private let isTrusted = Mutex(false)
    /// The bytes that the server may still send.
    let budget: ByteBudget

    /// - Parameter base: the server's address; all requests go to paths below it.
    init(_ base: ServerURL, _ settings: ChainSettings) {
        self.base = base
        self.settings = settings
        budget = ByteBudget(settings.longestConversation)
    }

    deinit { close() }

    /// Ends all requests and connections; a later request reconnects.
    func close() {
        let loop = loop.withLock { loop in
            defer { loop = nil }
            return loop
        }
        loop?.close()
    }

    /// One answer, whatever its status, except 429 and server failures (500…599), after which the request is
    /// retried.
    /// - Parameter isFinal: which server failures are real answers, and must not be retried.
    func answer(
        to request: HTTPRequest, isFinal: @Sendable (HTTPResponse) -> Bool = { _ in false }
    ) async throws(ChainError) -> HTTPResponse {
        try await Retrying(settings).run { await self.attempt(request, isFinal: isFinal) }
    }

    /// One answer or failure, without retries.
    func attempt(
        _ request: HTTPRequest, isFinal: @Sendable (HTTPResponse) -> Bool = { _ in false }
    ) async -> Result<HTTPResponse, ChainError> {
        let result = await once(request)
        guard case .success(let response) = result, !isFinal(response) else { return result }
        return switch response.status {
        case 429: .failure(.rateLimited(retryAfter: response.retryAfter))
        case 503 where response.retryAfter != nil: .failure(.rateLimited(retryAfter: response.retryAfter))
        case 500...599: .failure(.serverError(status: response.status, message: ServerText(bytes: response.body)))
        default: result
        }
    }

    private func once(_ request: HTTPRequest) async -> Result<HTTPResponse, ChainError> {
        // A server without TLS proves nothing, so this is decided before anything is sent.
        if !base.isSecure, let error = await distrust(.plain) { return .failure(error) }
        let result = await send(request)
        if base.isSecure, case .success = result, let error = await distrust(.authority) { return .failure(error) }
        return result
    }

    /// Checks how the server proves its identity; once, on a thread that may block.
    private func distrust(_ trust: ServerTrust) async -> ChainError? {
        guard let pins = settings.pins, !isTrusted.withLock({ $0 }) else { return nil }
        let answer = OneAnswer<Bool>()
        let hasThread = DetachedThread.run { [base, settings] in
            do throws(ChainError) {
                try pins.require(trust, of: base.authority, isLocal: base.isLocal(settings))
                answer.give(.success(true))
            } catch { answer.give(.failure(error)) }
        }
        guard hasThread else { return .unsupported("the system cannot start another thread") }
        switch await answer.value() {
        case .success:
            isTrusted.withLock { $0 = true }
            return nil
        case .failure(let error): return error
        }
    }

    private func send(_ request: HTTPRequest) async -> Result<HTTPResponse, ChainError> {
        let current = loop.withLock { loop in
            if loop == nil { loop = HTTPLoop(mostParallel: settings.parallelRequests) }
            return loop
        }
        guard let current else { return .failure(.unsupported("the system cannot start another thread")) }
        let transfer = HTTPTransfer(request, settings, budget)
        current.add(transfer)
        return await transfer.answer.value { current.wake() }
    }
}

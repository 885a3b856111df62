import Synchronization

/// Requests to one server: bounded in number, size and time, each made again after failures that may pass.
final class HTTPClient: Sendable {
    private let settings: ChainSettings
    private let loop = Mutex<HTTPLoop?>(nil)

    init(_ settings: ChainSettings) { self.settings = settings }

    deinit { close() }

    /// Ends all requests and connections; a later request starts anew.
    func close() {
        let loop = loop.withLock { loop in
            defer { loop = nil }
            return loop
        }
        loop?.close()
    }

    /// One answer, whatever its status but 429 and those of broken servers (500…599), after which the request is made
    /// again.
    /// - Parameter isFinal: answers of broken servers that are meant, and not to be asked for again.
    func answer(
        to request: HTTPRequest, isFinal: @Sendable (HTTPResponse) -> Bool = { _ in false }
    ) async throws(ChainError) -> HTTPResponse {
        try await Retrying(settings).run { await self.attempt(request, isFinal: isFinal) }
    }

    /// One answer or failure, without repetition.
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
        let current = loop.withLock { loop in
            if loop == nil { loop = HTTPLoop(mostParallel: settings.parallelRequests) }
            return loop
        }
        guard let current else { return .failure(.unsupported("the system has no thread left")) }
        let transfer = HTTPTransfer(request, settings)
        current.add(transfer)
        return await transfer.answer.value { current.wake() }
    }
}

import CCurl

/// A request in progress. Once created, it belongs to the thread of its `HTTPLoop`.
final class HTTPTransfer: @unchecked Sendable {
    let answer = OneAnswer<HTTPResponse>()
    private let request: HTTPRequest
    private let settings: ChainSettings
    private var handle: CurlHandle?
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var body: [UInt8] = []
    private let budget: ByteBudget
    private var refusal: ChainError?

    init(_ request: HTTPRequest, _ settings: ChainSettings, _ budget: ByteBudget) {
        self.budget = budget
        self.request = request
        self.settings = settings
    }

    deinit { curl_slist_free_all(headers) }

    /// libcurl's handle, ready to perform; `nil` after reporting that there is none.
    func start() -> UnsafeMutableRawPointer? {
        guard let handle = CurlHandle() else {
            answer.give(.failure(.unsupported("libcurl cannot be started")))
            return nil
        }
        self.handle = handle
        handle.configure(settings)
        handle.set(CURLOPT_URL, request.url)
        handle.set(CURLOPT_TIMEOUT_MS, (request.timeLimit ?? settings.answerTimeLimit).milliseconds)
        handle.set(CURLOPT_MAXFILESIZE, settings.longestAnswer)
        handle.set(CURLOPT_USERAGENT, "tapkit")
        if let credentials = request.credentials {
            handle.set(CURLOPT_USERNAME, credentials.user)
            handle.set(CURLOPT_PASSWORD, credentials.password)
        }
        if let body = request.body {
            handle.set(CURLOPT_POST, 1)
            handle.set(body: body)
            // No pause before the body.
            headers = curl_slist_append(headers, "Expect:")
            headers = curl_slist_append(headers, "Content-Type: text/plain")
            handle.set(CURLOPT_HTTPHEADER, pointer: headers)
        }
        handle.set(CURLOPT_WRITEDATA, pointer: Unmanaged.passUnretained(self).toOpaque())
        handle.set(writeFunction: { bytes, size, count, transfer in
            guard let bytes, let transfer else { return 0 }
            let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return Unmanaged<HTTPTransfer>.fromOpaque(transfer).takeUnretainedValue().take(piece)
        })
        if let refused = handle.refusedOption {
            answer.give(.failure(handle.error(refused, limit: settings.longestAnswer)))
            return nil
        }
        return handle.pointer
    }

    private func take(_ piece: UnsafeRawBufferPointer) -> Int {
        guard piece.count <= settings.longestAnswer - body.count else {
            refusal = .tooLarge(limit: settings.longestAnswer)
            return 0
        }
        guard budget.take(piece.count) else {
            refusal = budget.refusal
            return 0
        }
        body.append(contentsOf: piece)
        return piece.count
    }

    /// Gives the answer. The handle has left its loop.
    func finish(_ status: CURLcode) {
        guard let handle else { return }
        defer { self.handle = nil }
        guard status == CURLE_OK else {
            let limit = settings.longestAnswer
            answer.give(.failure(refusal ?? handle.error(status, limit: limit)))
            return
        }
        let seconds = min(handle.offset(CURLINFO_RETRY_AFTER), 1_000_000)
        answer.give(
            .success(
                HTTPResponse(
                    status: handle.long(CURLINFO_RESPONSE_CODE), body: body,
                    retryAfter: seconds > 0 ? .seconds(seconds) : nil)))
        body = []
    }

    /// Drops the handle; the only answer is that the request was cancelled.
    func abandon() {
        answer.give(.failure(.cancelled))
        handle = nil
    }
}

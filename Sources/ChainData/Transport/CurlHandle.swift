import CCurl

/// One libcurl transfer or connection. Belongs to one thread at a time.
final class CurlHandle {
    private static let isStarted = tapkit_curl_start() == CURLE_OK

    /// libcurl's own pointer.
    let pointer: UnsafeMutableRawPointer
    /// Where libcurl writes what went wrong.
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private(set) var refusedOption: CURLcode?
    /// Whether the connection goes to a proxy.
    private(set) var hasProxy = false

    /// `nil` when libcurl cannot be started.
    init?() {
        guard Self.isStarted, let pointer = curl_easy_init() else {
            errorText.deallocate()
            return nil
        }
        self.pointer = pointer
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        note(tapkit_curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText))
    }

    deinit {
        curl_easy_cleanup(pointer)
        errorText.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) { note(tapkit_curl_set_long(pointer, option, value)) }

    func set(_ option: CURLoption, _ value: String) { note(tapkit_curl_set_string(pointer, option, value)) }

    func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) {
        note(tapkit_curl_set_pointer(pointer, option, value))
    }

    func set(writeFunction: curl_write_callback) { note(tapkit_curl_set_write_function(pointer, writeFunction)) }

    func set(progressFunction: curl_xferinfo_callback) {
        note(tapkit_curl_set_progress_function(pointer, progressFunction))
    }

    func set(body: [UInt8]) {
        note(body.withUnsafeBytes { tapkit_curl_set_body(pointer, $0.baseAddress, curl_off_t($0.count)) })
    }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        return tapkit_curl_get_long(pointer, info, &value) == CURLE_OK ? value : 0
    }

    func offset(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        return tapkit_curl_get_offset(pointer, info, &value) == CURLE_OK ? Int(value) : 0
    }

    /// Common settings of every connection: limits, proxy, authorities, and no automatic libcurl behaviour.
    func configure(_ settings: ChainSettings) {
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_TCP_NODELAY, 1)
        note(tapkit_curl_ignore_netrc(pointer))
        set(CURLOPT_CONNECTTIMEOUT_MS, settings.connectTimeLimit.milliseconds)
        // An empty string disables the proxy, whatever the environment says.
        set(CURLOPT_PROXY, settings.proxy ?? "")
        hasProxy = settings.proxy?.isEmpty == false
        set(CURLOPT_NOPROXY, "")
        if let authorities = settings.authoritiesFile { set(CURLOPT_CAINFO, authorities) }
    }

    /// What libcurl says went wrong, without control characters.
    var detail: String { ServerText(String(cString: errorText)).description }

    private func note(_ status: CURLcode) {
        if status != CURLE_OK { refusedOption = status }
    }
}

extension Duration {
    /// In milliseconds, at least 1.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(max(1, min(seconds, 1_000_000) * 1000 + attoseconds / 1_000_000_000_000_000))
    }
}

import CCurl

extension CurlHandle {
    /// The error for a failed call.
    func error(_ status: CURLcode, limit: Int) -> ChainError {
        let connectStatus = long(CURLINFO_HTTP_CONNECTCODE)
        guard connectStatus == 0 || connectStatus == 200 else { return .proxy(detail: "it answers \(connectStatus)") }
        return switch status {
        case CURLE_COULDNT_RESOLVE_HOST: .unreachable(.name, detail: detail)
        case CURLE_COULDNT_CONNECT where hasProxy: .proxy(detail: detail)
        case CURLE_COULDNT_CONNECT: .unreachable(.refused, detail: detail)
        case CURLE_OPERATION_TIMEDOUT: .unreachable(.timedOut, detail: detail)
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE:
            .unreachable(.closed, detail: detail)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxy(detail: detail)
        case CURLE_PEER_FAILED_VERIFICATION:
            // A certificate chain fault has an OpenSSL number; without one (0, or 1 for "unspecified") it is the name.
            (0...1).contains(long(CURLINFO_SSL_VERIFYRESULT))
                ? .tls(.wrongHost, detail: detail) : .tls(.untrusted, detail: detail)
        case CURLE_SSL_CACERT_BADFILE: .tls(.settings, detail: detail)
        case CURLE_SSL_CONNECT_ERROR: .tls(.handshake, detail: detail)
        case CURLE_FILESIZE_EXCEEDED, CURLE_WRITE_ERROR: .tooLarge(limit: limit)
        case CURLE_URL_MALFORMAT, CURLE_UNKNOWN_OPTION, CURLE_BAD_FUNCTION_ARGUMENT:
            .unsupported("libcurl does not accept the address: \(detail)")
        case CURLE_ABORTED_BY_CALLBACK: .cancelled
        default: .malformed(detail.isEmpty ? "libcurl error \(status.rawValue)" : detail)
        }
    }
}

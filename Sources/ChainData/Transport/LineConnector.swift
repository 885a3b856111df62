import ByteCodec
import CCurl

/// The endpoint of a line stream.
struct LineEndpoint: Sendable, Hashable {
    /// A host name or address; IPv6 addresses without brackets.
    let host: String
    let port: UInt16
    let isSecure: Bool

    /// `host:port`, under which certificates are stored; IPv6 addresses in brackets.
    var server: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

/// Opens connections for lines. All calls block.
struct LineConnector: Sendable {
    let endpoint: LineEndpoint
    let settings: ChainSettings

    /// Connects; with TLS, the certificate must be from an authority for this host, or the same as before.
    /// - Parameter isAbandoned: checked every second.
    func connect(isAbandoned: @escaping @Sendable () -> Bool) throws(ChainError) -> CurlHandle {
        let abort = Abort(isAbandoned: isAbandoned)
        guard endpoint.isSecure else {
            try require(.plain)
            return try open(verifies: true, abort)
        }
        do throws(ChainError) {
            let handle = try open(verifies: true, abort)
            try require(.authority)
            return handle
        } catch {
            guard case .tls(.untrusted, let detail) = error else { throw error }
            return try openPinned(abort, detail)
        }
    }

    private func require(_ trust: ServerTrust) throws(ChainError) {
        try settings.pins?.require(trust, of: endpoint.server, isLocal: ServerAddress.isLoopback(endpoint.host))
    }

    private func openPinned(_ abort: Abort, _ detail: String) throws(ChainError) -> CurlHandle {
        guard settings.pins != nil else { throw .tls(.untrusted, detail: detail) }
        let handle = try open(verifies: false, abort)
        guard let certificate = handle.certificate else { throw .tls(.handshake, detail: "there is no certificate") }
        try require(.pinned(CertificateFingerprint(certificate: certificate)))
        return handle
    }

    private func open(verifies: Bool, _ abort: Abort) throws(ChainError) -> CurlHandle {
        guard let handle = CurlHandle() else { throw .unsupported("libcurl cannot be started") }
        handle.configure(settings)
        handle.set(CURLOPT_URL, "\(endpoint.isSecure ? "https" : "http")://\(endpoint.server)/")
        handle.set(CURLOPT_CONNECT_ONLY, 1)
        handle.set(CURLOPT_HTTPPROXYTUNNEL, 1)
        handle.set(CURLOPT_TIMEOUT_MS, settings.connectTimeLimit.milliseconds)
        handle.set(CURLOPT_SSL_ENABLE_ALPN, 0)
        handle.set(CURLOPT_CERTINFO, 1)
        handle.set(CURLOPT_SSL_VERIFYPEER, verifies ? 1 : 0)
        handle.set(CURLOPT_SSL_VERIFYHOST, verifies ? 2 : 0)
        handle.set(CURLOPT_NOPROGRESS, 0)
        handle.set(CURLOPT_XFERINFODATA, pointer: Unmanaged.passUnretained(abort).toOpaque())
        handle.set(progressFunction: { abort, _, _, _, _ in
            guard let abort else { return 1 }
            return Unmanaged<Abort>.fromOpaque(abort).takeUnretainedValue().isAbandoned() ? 1 : 0
        })
        if let refused = handle.refusedOption { throw handle.error(refused, limit: 0) }
        let status = withExtendedLifetime(abort) { curl_easy_perform(handle.pointer) }
        // The callback's object is released; the handle stays.
        handle.set(CURLOPT_NOPROGRESS, 1)
        guard status == CURLE_OK else { throw handle.error(status, limit: 0) }
        return handle
    }

    private final class Abort {
        let isAbandoned: () -> Bool

        init(isAbandoned: @escaping () -> Bool) { self.isAbandoned = isAbandoned }
    }
}

extension CurlHandle {
    /// The server's own certificate (DER) of a connection made with `CURLOPT_CERTINFO`.
    fileprivate var certificate: [UInt8]? {
        var chain: UnsafeMutablePointer<curl_certinfo>?
        guard tapkit_curl_get_certificates(pointer, &chain) == CURLE_OK, let chain = chain?.pointee,
            chain.num_of_certs > 0
        else { return nil }
        var field = chain.certinfo?.pointee
        while let entry = field?.pointee {
            let text = String(cString: entry.data)
            if text.hasPrefix("Cert:") {
                let lines = text.dropFirst(5).split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
                return try? Base64.decode(lines.joined())
            }
            field = entry.next
        }
        return nil
    }
}

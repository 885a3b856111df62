/// The address of a server's HTTP interface: scheme, host, port and path, with user and password kept apart.
///
/// The description has no password.
struct ServerURL: Sendable, CustomStringConvertible {
    /// `http://` or `https://`, host, port and path, without a trailing slash.
    let description: String
    /// The host, with a port if one was given, in lower case; IPv6 addresses in brackets.
    let authority: String
    /// Whether the connection is secure.
    let isSecure: Bool
    /// The path alone; empty, or starting with a slash.
    let path: String
    /// The user and password that were before the host.
    let credentials: HTTPRequest.Credentials?
    /// The parameters after the question mark, by name.
    let query: [String: String]

    /// Reads an address.
    /// - Throws: `ChainServerError` without the text, which may contain a password.
    init(parsing text: some StringProtocol) throws(ChainServerError) {
        let text = String(text)
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .url("it has spaces or other characters")
        }
        guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else {
            throw .url("it does not start with http:// or https://")
        }
        var rest = text.dropFirst(scheme.count)
        guard !rest.contains("#") else { throw .url("it has a #") }
        query = try Self.query(rest.firstIndex(of: "?").map { rest[rest.index(after: $0)...] } ?? "")
        rest = rest.prefix { $0 != "?" }
        var authority = rest.prefix { $0 != "/" }
        var path = rest.dropFirst(authority.count)
        path = path[..<(path.lastIndex { $0 != "/" }.map(path.index(after:)) ?? path.startIndex)]
        if let at = authority.lastIndex(of: "@") {
            credentials = try Self.credentials(authority[..<at])
            authority = authority[authority.index(after: at)...]
        } else {
            credentials = nil
        }
        guard ServerAddress.isAuthority(authority) else { throw .url("it has no valid host and port") }
        guard query["cleartext"].map({ $0 == "yes" }) ?? true else { throw .url("cleartext can only be yes") }
        self.path = String(path)
        self.authority = authority.lowercased()
        isSecure = scheme == "https://"
        description = "\(scheme)\(authority)\(path)"
    }

    /// Whether this is a server on this machine, with nothing in between.
    func isLocal(_ settings: ChainSettings) -> Bool {
        guard settings.proxy?.isEmpty ?? true else { return false }
        let end = authority.hasSuffix("]") ? nil : authority.lastIndex(of: ":")
        return ServerAddress.host(authority[..<(end ?? authority.endIndex)]).map { ServerAddress.isLoopback($0) }
            ?? false
    }

    /// Checks that nobody on the way can read user and password, or that this was explicitly allowed.
    /// - Throws: `.tls` with `.cleartextCredentials`.
    func requireConfidential(_ settings: ChainSettings) throws(ChainError) {
        guard isSecure || isLocal(settings) || query["cleartext"] == "yes" else {
            throw .tls(.cleartextCredentials, detail: "")
        }
    }

    /// The address of a path below this one.
    /// - Parameter path: starts with a slash.
    func appending(_ path: String) -> String { description + path }

    private static func credentials(_ text: Substring) throws(ChainServerError) -> HTTPRequest.Credentials {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let user = PercentDecoding.decode(parts[0]),
            let password = PercentDecoding.decode(parts[1])
        else { throw .url("before the @ there must be user:password, with %XX for special characters") }
        return HTTPRequest.Credentials(user: user, password: password)
    }

    private static func query(_ text: Substring) throws(ChainServerError) -> [String: String] {
        var values: [String: String] = [:]
        for part in text.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, let value = PercentDecoding.decode(pair[1]),
                values.updateValue(value, forKey: String(pair[0])) == nil
            else { throw .url("name=value must follow the ?") }
        }
        return values
    }
}

/// `%XX` in addresses.
enum PercentDecoding {
    /// The decoded text; `nil` for a stray `%`, invalid UTF-8, or a zero byte.
    static func decode(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            // `UInt8(_:radix:)` also takes a plus sign.
            guard rest.count >= 2, rest.prefix(2).allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), value > 0
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

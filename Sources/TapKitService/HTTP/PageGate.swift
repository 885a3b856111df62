/// Decides what a request may have, from what its headers say. Pure. The door has kept other users out before.
///
/// What each check keeps out: `Host`, names that point to this machine (DNS rebinding); `Origin` and `Sec-Fetch-Site`,
/// pages of other origins; `Sec-Fetch-Dest`, frames; the cookie, everybody who was not given the page's address.
struct PageGate: Sendable {
    /// What a request says.
    struct Request: Equatable, Sendable {
        var method = "GET"
        var path = "/"
        var host: String?
        var origin: String?
        /// `Sec-Fetch-Site`: `none` for an address that a person opened.
        var site: String?
        /// `Sec-Fetch-Dest`.
        var destination: String?
        /// `Cookie`, as sent.
        var cookies: String?

        /// Whether what is compared is ASCII, as browsers write it. A letter with endless accents would take long to
        /// compare.
        var isPlain: Bool {
            let texts: [String?] = [method, path, host, origin, site, destination]
            return texts.allSatisfy { text in text?.utf8.allSatisfy { $0 < 0x80 } ?? true }
        }
    }

    /// What it gets.
    enum Verdict: Equatable, Sendable {
        /// A file of the page, by its name. There is nothing secret in any of them.
        case file(String)
        /// It may exchange the token for the cookie, or have its cookie confirmed.
        case session(cookie: String?)
        /// It may talk to the service.
        case service(cookie: String)
        case forbidden
        case notFound
        case methodNotAllowed
    }

    /// The addresses at which the page is served, such as `127.0.0.1`.
    let hosts: [String]
    /// The port, the same at each of them.
    let port: UInt16

    /// The cookie's name. Browsers do not keep cookies apart by port: the name keeps two pages apart.
    var cookieName: String { "tapkit-\(port)" }

    func verdict(on request: Request) -> Verdict {
        guard request.isPlain else { return .forbidden }
        guard let host = request.host, hosts.contains(where: { host == "\($0):\(port)" }) else { return .forbidden }
        guard request.origin == nil || request.origin == "http://\(host)" else { return .forbidden }
        guard request.site == nil || request.site == "same-origin" || request.site == "none" else {
            return .forbidden
        }
        guard request.destination.map({ !Self.frames.contains($0) }) ?? true else { return .forbidden }
        switch request.path {
        case "/session":
            guard request.method == "POST" else { return .methodNotAllowed }
            // A browser names the origin of everything that it posts.
            return request.origin == nil ? .forbidden : .session(cookie: cookie(in: request))
        case "/rpc":
            guard request.method == "GET" else { return .methodNotAllowed }
            guard request.origin != nil, let cookie = cookie(in: request) else { return .forbidden }
            return .service(cookie: cookie)
        default:
            guard request.method == "GET" else { return .methodNotAllowed }
            let name = request.path == "/" ? "index.html" : String(request.path.dropFirst())
            return PageFile.names.contains(name) ? .file(name) : .notFound
        }
    }

    private static let frames: Set = ["iframe", "frame", "embed", "object", "fencedframe"]

    /// The cookie; `nil` also if there are two of the name, as one was planted.
    private func cookie(in request: Request) -> String? {
        let start = Array("\(cookieName)=".utf8)
        // Bytes: other servers on this machine may have set anything.
        let pairs = (request.cookies ?? "").utf8.split(separator: UInt8(ascii: ";")).map { pair in
            pair.drop { $0 == UInt8(ascii: " ") }
        }
        let ours = pairs.filter { $0.starts(with: start) }
        return ours.count == 1 ? ours.first.map { String(Substring($0.dropFirst(start.count))) } : nil
    }
}

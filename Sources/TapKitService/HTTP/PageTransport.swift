import FlyingFox
import LocalSockets
import Threads

/// The page and its JSON-RPC, over HTTP on this machine's loopback interface: for one browser of the same user, which was
/// given the page's address.
package final class PageTransport: Transport {
    /// How long the page is served to nobody.
    package struct Patience: Sendable {
        /// Until it is opened for the first time.
        package var opening = Duration.seconds(300)
        /// After it was closed: it may only be loading again.
        package var reloading = Duration.seconds(3)

        /// The usual times.
        package init() {}
    }

    /// Whether anybody looks at the page.
    private struct Presence {
        var pages = 0
        /// Counts openings and closings.
        var changes = 0
        var isStopped = false
    }

    private let secrets = PageSecrets()
    private let asksInWindow: Bool
    private let patience: Patience
    private let opened: @Sendable (PageAddress) -> Void
    private let presence = Monitor(Presence())
    private let door: LoopbackDoor
    private let folder: PrivateFolder
    private let gate: PageGate

    /// - Parameters:
    ///   - asksInWindow: whether the person is asked for CVCs in a window rather than in the page.
    ///   - opened: told the page's address once it is served.
    /// - Throws: `LocalSocketError` if there is no free port, no loopback interface, or no room in /tmp.
    package init(
        asksInWindow: Bool, patience: Patience = Patience(), opened: @escaping @Sendable (PageAddress) -> Void
    ) throws(LocalSocketError) {
        (self.asksInWindow, self.patience, self.opened) = (asksInWindow, patience, opened)
        door = try LoopbackDoor()
        folder = try PrivateFolder()
        gate = PageGate(hosts: door.hosts, port: door.port)
    }

    /// Serves the page until `stop`, or until nobody has it open any more. If it cannot be served, `opened` is not told.
    package func run(_ processor: ServiceProcessor) {
        let isOver = Monitor(false)
        Task.detached { [self] in
            await serve(processor, at: folder.socket)
            folder.remove()
            isOver.withLock { $0 = true }
        }
        _ = isOver.wait(timeout: nil) { $0 ? true : nil }
    }

    private func serve(_ processor: ServiceProcessor, at path: String) async {
        // What takes long is answered at once, and told later.
        let server = HTTPServer(address: .unix(path: path), timeout: 600, logger: .disabled)
        await server.appendRoute("*") { request in await self.response(to: request, processor) }
        // However long a busy machine takes: the server listens, or it ends.
        let listening = Task { try await server.waitUntilListening(timeout: 3_600) }
        let serving = Task {
            try? await server.run()
            listening.cancel()
            stop()
        }
        guard (try? await listening.value) != nil, DetachedThread.run({ self.door.run(to: path) }) else {
            return await server.stop()
        }
        opened(PageAddress(door, token: secrets.token))
        await nobody()
        door.stop()
        await server.stop()
        await serving.value
    }

    /// Ends `run`.
    package func stop() { presence.withLock { $0.isStopped = true } }

    /// Returns when nobody has had the page open for long enough.
    private func nobody() async {
        await withCheckedContinuation { continuation in
            let waits = DetachedThread.run {
                self.waitForNobody()
                continuation.resume()
            }
            if !waits { continuation.resume() }
        }
    }

    private func waitForNobody() {
        while true {
            let before = presence.wait(timeout: nil) { $0.pages == 0 || $0.isStopped ? $0.changes : nil }
            let time = before == 0 ? patience.opening : patience.reloading
            let isNeeded = presence.wait(timeout: time) { presence -> Bool? in
                if presence.isStopped { return false }
                return presence.changes == before ? nil : true
            }
            guard isNeeded == true else { return }
        }
    }

    // MARK: Answers

    private func response(to request: HTTPRequest, _ processor: ServiceProcessor) async -> HTTPResponse {
        switch gate.verdict(on: PageGate.Request(request)) {
        case .file(let name):
            guard let file = PageFile(name) else { return .refusal(.notFound) }
            return .safe(.ok, file.contentType, file.content)
        case .session(let cookie): return await session(cookie, request)
        case .service(let cookie):
            guard secrets.isCookie(cookie) else { return .refusal(.forbidden) }
            let socket = WebSocketHTTPHandler(
                handler: PageSocket(processor) { [presence] change in
                    presence.withLock {
                        $0.pages += change
                        $0.changes += 1
                    }
                })
            return (try? await socket.handleRequest(request)) ?? .refusal(.badRequest)
        case .forbidden: return .refusal(.forbidden)
        case .notFound: return .refusal(.notFound)
        case .methodNotAllowed: return .refusal(.methodNotAllowed)
        }
    }

    /// Exchanges the token for the cookie; whoever has the cookie needs no token. A body is short (`RequestBound`).
    private func session(_ cookie: String?, _ request: HTTPRequest) async -> HTTPResponse {
        guard let body = try? await request.bodyData else { return .refusal(.badRequest) }
        let token = String(decoding: body, as: UTF8.self)
        let answer = [UInt8](#"{"window":\#(asksInWindow)}"#.utf8)
        if token.isEmpty, let cookie, secrets.isCookie(cookie) { return .safe(.ok, "application/json", answer) }
        guard let given = secrets.cookie(for: token) else { return .refusal(.unauthorized) }
        var response = HTTPResponse.safe(.ok, "application/json", answer)
        response.headers[.setCookie] = "\(gate.cookieName)=\(given); Path=/; HttpOnly; SameSite=Strict"
        return response
    }
}

extension PageGate.Request {
    /// What a request says.
    init(_ request: HTTPRequest) {
        func only(_ name: String) -> String? {
            let values = request.headers.values(for: HTTPHeader(name))
            return values.count > 1 ? values.joined(separator: ", ") : values.first
        }
        self.init(
            method: request.method.rawValue, path: request.target.path(), host: only("Host"), origin: only("Origin"),
            site: only("Sec-Fetch-Site"), destination: only("Sec-Fetch-Dest"), cookies: only("Cookie"))
    }
}

import FlyingFox
import Glibc
import Synchronization
import Threads

/// The page and its JSON-RPC, over HTTP on this machine's loopback interface: for one browser of the same user, which was
/// given the page's address.
package final class PageTransport: Transport {
    /// The page cannot be served: there is no port, or no loopback interface.
    package struct CannotListen: Error, Sendable {}

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
    private let opened: @Sendable (Result<String, CannotListen>) -> Void
    private let presence = Monitor(Presence())
    private let port = Mutex<UInt16>(0)

    /// - Parameters:
    ///   - asksInWindow: whether the person is asked for CVCs in a window rather than in the page.
    ///   - opened: told once, with the page's address, which lets one browser in, or why there is none.
    package init(
        asksInWindow: Bool, patience: Patience = Patience(),
        opened: @escaping @Sendable (Result<String, CannotListen>) -> Void
    ) {
        (self.asksInWindow, self.patience, self.opened) = (asksInWindow, patience, opened)
    }

    /// Serves the page until `stop`, or until nobody has it open any more.
    package func run(_ processor: ServiceProcessor) {
        let isOver = Monitor(false)
        Task.detached { [self] in
            do {
                let server = HTTPServer(address: try .inet(ip4: Self.loopback, port: 0), logger: .disabled)
                await server.appendRoute("*") { request in await self.response(to: request, processor) }
                let serving = Task { try await server.run() }
                try await server.waitUntilListening()
                guard case .ip4(_, let number)? = await server.listeningAddress else { throw CannotListen() }
                port.withLock { $0 = number }
                opened(.success("http://\(Self.loopback):\(number)/#\(secrets.token)"))
                await nobody()
                await server.stop()
                _ = await serving.result
            } catch { opened(.failure(CannotListen())) }
            isOver.withLock { $0 = true }
        }
        _ = isOver.wait(timeout: nil) { $0 ? true : nil }
    }

    /// Ends `run`.
    package func stop() { presence.withLock { $0.isStopped = true } }

    private static let loopback = "127.0.0.1"

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
        let gate = PageGate(user: geteuid(), port: port.withLock { $0 })
        switch gate.verdict(on: PageGate.Request(request, to: gate.port)) {
        case .file(let name):
            guard let file = PageFile(name) else { return .refusal(.notFound) }
            return .safe(.ok, file.contentType, file.content)
        case .session(let cookie): return await session(cookie, request, gate)
        case .service(let cookie):
            guard secrets.isCookie(cookie) else { return .refusal(.forbidden) }
            let socket = WebSocketHTTPHandler(
                handler: PageSocket(processor, user: gate.user) { [presence] change in
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

    /// The longest body of a request for a session, in bytes.
    private static let longestBody = 1_024

    /// Exchanges the token for the cookie; whoever has the cookie needs no token.
    private func session(_ cookie: String?, _ request: HTTPRequest, _ gate: PageGate) async -> HTTPResponse {
        guard let length = request.bodySequence.count, length <= Self.longestBody,
            let body = try? await request.bodyData
        else { return .refusal(.payloadTooLarge) }
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
    /// What a request says, and whose program sent it.
    /// - Parameter port: where it arrived.
    init(_ request: HTTPRequest, to port: UInt16) {
        func only(_ name: String) -> String? {
            let values = request.headers.values(for: HTTPHeader(name))
            return values.count > 1 ? values.joined(separator: ", ") : values.first
        }
        var user: UInt32?
        if case .ip4("127.0.0.1", let clientPort)? = request.remoteAddress {
            user = LoopbackOwner.user(from: clientPort, to: port)
        }
        self.init(
            user: user, method: request.method.rawValue, path: request.target.path(), host: only("Host"),
            origin: only("Origin"), site: only("Sec-Fetch-Site"), destination: only("Sec-Fetch-Dest"),
            cookies: only("Cookie"))
    }
}

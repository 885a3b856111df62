import TapKitService
import Testing
import Threads

/// A page that is served.
struct OpenPage: Sendable {
    let transport: PageTransport
    let address: PageAddress
    let browser: PageBrowser
    private let state: Monitor<State>

    private struct State {
        var address: PageAddress?
        /// Whether it is not served any more.
        var isOver = false
    }

    /// - Throws: if it cannot be served.
    init(
        _ processor: ServiceProcessor, asksInWindow: Bool = true,
        patience: PageTransport.Patience = .untilStopped
    ) async throws {
        let state = Monitor(State())
        let transport = try PageTransport(asksInWindow: asksInWindow, patience: patience) { address in
            state.withLock { $0.address = address }
        }
        let isRunning = DetachedThread.run {
            transport.run(processor)
            state.withLock { $0.isOver = true }
        }
        try #require(isRunning)
        (self.transport, self.state) = (transport, state)
        // However long a busy machine takes: it is served, or it ends.
        let beginning = await Blocking.run {
            state.wait(timeout: nil) { $0.address != nil || $0.isOver ? $0 : nil }
        }
        address = try #require(beginning?.address)
        browser = try #require(PageBrowser(address.drawn))
    }

    /// Returns when it is not served any more.
    func end() async { await Blocking.run { _ = state.wait(timeout: nil) { $0.isOver ? true : nil } } }

    /// A page in the browser.
    /// - Parameter headers: of its request; `nil`: as a browser sends them.
    /// - Returns: `nil` if it is not let in.
    func carrier(_ headers: [String: String]? = nil) async -> PageCarrier? {
        await Blocking.run { PageCarrier(browser, headers ?? browser.ownHeaders) }
    }

    /// A request on a connection of its own.
    func request(
        _ method: String, _ path: String, _ headers: [String: String]? = nil, _ body: String = ""
    ) async -> PageBrowser.Answer {
        await Blocking.run { browser.request(method, path, headers ?? browser.ownHeaders, body) }
    }

    /// Exchanges the token for the cookie, as the page does once.
    func enter() async -> PageBrowser.Answer { await Blocking.run { browser.enter() } }
}

/// Work that blocks its thread, outside the pool that everything asynchronous shares.
enum Blocking {
    static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let isRunning = DetachedThread.run { continuation.resume(returning: work()) }
            if !isRunning { continuation.resume(returning: work()) }
        }
    }
}

extension PageTransport.Patience {
    /// Longer than a test takes, however slow the machine is.
    static var untilStopped: Self {
        var patience = Self()
        (patience.opening, patience.reloading) = (.seconds(3_600), .seconds(3_600))
        return patience
    }
}

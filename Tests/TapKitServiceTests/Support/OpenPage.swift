import TapKitService
import Testing
import Threads

/// A page that is served.
struct OpenPage: Sendable {
    let transport: PageTransport
    let address: PageAddress
    let browser: PageBrowser
    /// Whether it is not served any more.
    private let isOver: Monitor<Bool>

    /// - Throws: if it cannot be served.
    init(
        _ processor: ServiceProcessor, asksInWindow: Bool = true,
        patience: PageTransport.Patience = .untilStopped
    ) async throws {
        let (isOver, place) = (Monitor(false), Monitor<PageAddress?>(nil))
        let transport = try PageTransport(asksInWindow: asksInWindow, patience: patience) { address in
            place.withLock { $0 = address }
        }
        let isRunning = DetachedThread.run {
            transport.run(processor)
            isOver.withLock { $0 = true }
        }
        #expect(isRunning)
        (self.transport, self.isOver) = (transport, isOver)
        address = try #require(await Blocking.run { place.wait(timeout: .seconds(300)) { $0 } })
        browser = try #require(PageBrowser(address.drawn))
    }

    /// Returns when it is not served any more.
    func end() async { await Blocking.run { _ = isOver.wait(timeout: nil) { $0 ? true : nil } } }

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

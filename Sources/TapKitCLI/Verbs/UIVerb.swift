import ArgumentParser
import Pinentry
import Synchronization
import TapKitService
import Terminal

/// `tapkit ui`: cards, wallets and transactions in a browser.
struct UIVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ui", abstract: "Work with cards in your browser, until its last page is closed or Ctrl-C.",
        discussion: """
            The page comes from this command and stays on this machine. Its address lets one browser in, once. What is \
            signed is shown by the page; pinentry asks for the CVC. Without one the page itself asks.
            """)

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Print the page's address, and do not open it.")
    var noBrowser = false

    private struct Answer: Encodable { let url: String }

    func validate() throws { try options.requireNothingOfOneTask(for: "ui", instead: "the page asks") }

    func run() async throws {
        PrivateProcess.begin()
        let processor = try ServiceProcessor(options)
        let (console, opensBrowser) = (options.console, !noBrowser)
        let problem = Mutex<Failure?>(nil)
        let transport = PageTransport(asksInWindow: Self.hasWindow) { opening in
            guard case .success(let address) = opening else {
                return problem.withLock { $0 = Failure(.badEnvironment, "No page can be served on 127.0.0.1.") }
            }
            let isOpening = opensBrowser && Browser.open(address)
            console.answer(
                Answer(url: address),
                isOpening
                    ? ["The page opens in your browser. If it does not, open it yourself:", address]
                    : ["Open this page in a browser on this machine:", address])
        }
        Interruption.shared.onFirstSignal { transport.stop() }
        await BlockingThread().run { transport.run(processor) }
        await processor.stop()
        if let problem = problem.withLock({ $0 }) { throw problem }
    }

    /// Whether a pinentry can ask here: on a screen, or on the terminal of this command.
    private static var hasWindow: Bool {
        let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { EnvironmentVariable.value($0) != nil }
        return Pinentry.here != nil && (hasScreen || TerminalLine.isOurs)
    }
}

extension GlobalOptions {
    /// Refuses options that are about one task, for a verb that serves many.
    /// - Parameter instead: who says it at each task.
    func requireNothingOfOneTask(for verb: String, instead: String) throws {
        guard !isConfirmed, acceptedTexts.isEmpty, waitText == nil, cardText == nil, networkText == nil,
            cvcOptions.path == nil
        else {
            throw ValidationError(
                "\(verb) does not take --yes, --accept, --wait, --card, --network or --cvc-file: \(instead).")
        }
    }
}

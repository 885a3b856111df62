import ArgumentParser
import LocalSockets
import Pinentry
import Synchronization
import TapKitService
import Terminal

/// `tapkit ui`: cards, wallets and transactions in a browser.
struct UIVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ui", abstract: "Work with cards in your browser, until you close the last tab or press Ctrl-C.",
        discussion: """
            The page comes from this command and stays on this machine. Its address lets one browser in, once. The \
            page shows what will be signed; pinentry asks for the CVC. Without a pinentry that can ask, the page asks.
            """)

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Print the page's address, and do not open it.")
    var noBrowser = false

    private struct Answer: Encodable { let url: String }

    func validate() throws {
        try options.requireNothingOfOneTask(for: "ui", instead: "the page asks")
    }

    func run() async throws {
        PrivateProcess.begin()
        let processor = try ServiceProcessor(options)
        let (console, opensBrowser) = (options.console, !noBrowser)
        let isOpen = Atomic(false)
        let transport: PageTransport
        do throws(LocalSocketError) {
            transport = try PageTransport(asksInWindow: Self.hasWindow) { page in
                isOpen.store(true, ordering: .relaxed)
                // Programs are told the address that they are promised.
                let isOpening = opensBrowser && Browser.open(page.drawn)
                console.answer(
                    Answer(url: page.known),
                    isOpening
                        ? ["The page opens in your browser. If it does not, open it yourself:", page.drawn]
                        : ["Open this page in a browser on this machine:", page.drawn])
            }
        } catch { throw Failure(.badEnvironment, error.message) }
        Interruption.shared.onFirstSignal { transport.stop() }
        await BlockingThread().run { transport.run(processor) }
        await processor.stop()
        guard isOpen.load(ordering: .relaxed) || Interruption.shared.isRaised else {
            throw Failure(.badEnvironment, "The system did not let the page be served.")
        }
    }

    /// Whether a pinentry can ask here: on a screen, or on the terminal of this command.
    private static var hasWindow: Bool {
        guard let pinentry = Pinentry.here else { return false }
        let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { EnvironmentVariable.value($0) != nil }
        return TerminalLine.isOurs || (hasScreen && pinentry.hasWindows)
    }
}

import ArgumentParser
import TapManager

/// `tapkit wait`: runs off the security delay after wrong CVCs.
struct WaitVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait", abstract: "Run off the security delay that wrong CVCs left behind.")

    @OptionGroup var options: GlobalOptions

    private struct Answer: Encodable {
        let authDelayS: Int
    }

    func run() async throws {
        let invocation = try Invocation(options, to: .looking, usesCVC: false)
        let card = try await invocation.card()
        try await invocation.during { try await invocation.manager.waitOffSecurityDelay(of: card) }
        invocation.console.answer(
            Answer(authDelayS: 0), ["No security delay is left; the next CVC will be heard."])
    }
}

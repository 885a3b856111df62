import ArgumentParser
import TapManager

/// `tapkit wait`: waits out the lockout after wrong CVCs.
struct WaitVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait", abstract: "Wait out the lockout after wrong CVCs.")

    @OptionGroup var options: GlobalOptions

    private struct Answer: Encodable {
        let authDelayS: Int
    }

    func run() async throws {
        let invocation = try Invocation(options, to: .looking, usesCVC: false)
        let card = try await invocation.card()
        try await invocation.during { try await invocation.manager.waitOffSecurityDelay(of: card) }
        invocation.console.answer(
            Answer(authDelayS: 0),
            [
                card.status.authDelaySeconds > 0
                    ? "The lockout is over. You can enter a CVC now." : "The card is not locked out."
            ])
    }
}

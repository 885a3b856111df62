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
        let access = try await CardAtHand.open(options)
        let card = try WatchedCard(access, options, options.lookingManager())
        let (gate, progress) = (card.gate, card.progress)
        try await progress.during { () throws(FlowError) in try await gate.waitOffSecurityDelay() }
        if options.isJSON {
            JSONAnswer.write(Answer(authDelayS: 0))
        } else {
            options.console.say("No security delay is left; the next CVC will be heard.")
        }
    }
}

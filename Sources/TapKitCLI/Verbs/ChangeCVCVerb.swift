import ArgumentParser
import TapManager

/// `tapkit change-cvc`: gives the card a new CVC.
struct ChangeCVCVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change-cvc", abstract: "Give the card a new CVC; tried before this ends.")

    @OptionGroup var options: GlobalOptions
    @OptionGroup var newCVCOptions: NewCVCOptions

    private struct Answer: Encodable {
        let changed: Bool
    }

    func run() async throws {
        let givenNewCVC = try newCVCOptions.fromFile(beside: options.cvcOptions)
        let card = try await UnlockedCard.open(options, task: "change its CVC")
        let newCVC = try givenNewCVC ?? NewCVCOptions.ask(for: card.access)
        if !newCVC.isShortEnoughForProofs { options.console.note(CVCAdvice.new) }
        try await card.unlock { (cvc) async throws(FlowError) in
            try await card.manager.changeCVC(card.gate, from: cvc, to: newCVC)
        }
        guard !options.isJSON else {
            JSONAnswer.write(Answer(changed: true))
            return
        }
        options.console.say("The CVC of \(card.access.label) is changed.")
    }
}

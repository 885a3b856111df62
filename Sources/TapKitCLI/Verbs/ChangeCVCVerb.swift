import ArgumentParser
import TapManager

/// `tapkit change-cvc`: gives the card a new CVC.
struct ChangeCVCVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change-cvc", abstract: "Change the card's CVC, and test the new one.")

    @OptionGroup var options: GlobalOptions
    @OptionGroup var newCVCOptions: NewCVCOptions

    private struct Answer: Encodable {
        let changed: Bool
    }

    func run() async throws {
        let newCVC = try newCVCOptions.fromFile(beside: options.cvcSource)
        let invocation = try Invocation(options, newCVC: newCVC)
        let card = try await invocation.card()
        try await invocation.during {
            try await invocation.manager.changeCVC(of: card, tryingCurrentFirst: newCVC == nil)
        }
        invocation.console.answer(Answer(changed: true), ["The CVC of \(card.label) was changed."])
    }
}

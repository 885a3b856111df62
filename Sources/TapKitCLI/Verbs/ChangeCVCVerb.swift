import ArgumentParser
import TapManager

/// `tapkit change-cvc`: gives the card a new CVC.
struct ChangeCVCVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change-cvc", abstract: "Give the card a new CVC; proven before this ends.")

    @OptionGroup var options: GlobalOptions
    @OptionGroup var cvcOptions: CVCOptions
    @OptionGroup var newCVCOptions: NewCVCOptions

    private struct Answer: Encodable {
        let changed: Bool
    }

    func run() async throws {
        let givenNewCVC = try newCVCOptions.fromFile(beside: cvcOptions)
        let givenCVC = try cvcOptions.fromFile()
        let access = try await CardAccess.open(options)
        let progress = ProgressLine(options.console)
        let cvc = try givenCVC ?? cvcOptions.ask(for: access.label)
        let newCVC = try givenNewCVC ?? newCVCOptions.ask(for: access.label)
        let flow = ChangeCVCFlow(gate: try access.gate(options) { progress.show($0) }, from: cvc, to: newCVC)
        try await progress.during { () throws(FlowError) in try await flow.change() }
        guard !options.isJSON else {
            JSONAnswer.write(Answer(changed: true))
            return
        }
        options.console.say("The CVC of \(access.label) is changed.")
    }
}

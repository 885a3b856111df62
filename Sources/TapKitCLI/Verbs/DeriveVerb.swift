import ArgumentParser
import TapManager

/// `tapkit derive`: moves the card to a path.
struct DeriveVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "derive", abstract: "Set the card's path, up to 8 hardened steps.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The path, for example m/84h/0h/0h.")
    var path: String

    private struct Answer: Encodable {
        let path: String
        let xpub: String
        let fingerprint: String
    }

    func run() async throws {
        let path = try PathArgument.parse(path)
        let card = try await UnlockedCard.open(
            options, task: "be moved to a path", to: "move the card to \(path)")
        let account = try await card.unlock { (cvc) async throws(FlowError) in
            try await card.manager.derive(card.gate, cvc: cvc, path: path)
        }
        options.remember(card.access.status, fingerprint: account.masterFingerprint)
        guard !options.isJSON else {
            JSONAnswer.write(
                Answer(
                    path: account.path.description, xpub: account.key.text,
                    fingerprint: account.masterFingerprint.description))
            return
        }
        options.console.say("\(card.access.label) is at \(account.path).")
        options.console.say(account.key.text)
    }
}

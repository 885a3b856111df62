import ArgumentParser
import TapManager

/// `tapkit derive`: moves the card to a path.
struct DeriveVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "derive", abstract: "Move the card to a path of up to 8 hardened steps.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The path, for example m/84h/0h/0h, or m/84h/1h/0h on test networks.")
    var path: String

    private struct Answer: Encodable {
        let path: String
        let xpub: String
        let fingerprint: String
    }

    func run() async throws {
        let path = try PathArgument.parse(path)
        let invocation = try Invocation(options)
        let card = try await invocation.card()
        if card.status.isSetUp, let warning = card.warning(about: path) { invocation.console.note(warning) }
        let account = try await invocation.during { try await invocation.manager.derive(path, on: card) }
        invocation.console.answer(
            Answer(
                path: account.path.description, xpub: account.key.text,
                fingerprint: account.masterFingerprint.description),
            ["\(card.label) is now at \(account.path).", account.key.text])
    }
}

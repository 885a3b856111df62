import AnswerDocuments
import ArgumentParser
import TapManager
import TextLayout

/// `tapkit wallet register`: has a card sign a wallet.
struct WalletRegisterVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register", abstract: "Have a card sign the wallet, so that any alteration is noticed.",
        discussion: """
            Shows the wallet's name, spending paths and keys. Once you have confirmed them, the card signs them. From \
            then on, if the stored wallet was altered, tapkit neither receives nor pays with it, and tapkit sign and \
            tapkit tx sign sign nothing with this card. The wallet's change is proven, although the card does not know \
            the other keys.

            The registration is stored with the wallet. --output also writes it to a file, which tapkit wallet add \
            --registration and HWI's commands read. Keep it to yourself: it reveals every address of the \
            wallet, and anyone who listened to the reader during the registration can learn the CVC from it.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The wallet's name.", completion: .wallets)
    var name: String

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Also write the registration to this file.", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var overwriting: OverwritingOption

    func run() async throws {
        if let output { try AnswerFile.require(output, overwriting: overwriting.force) }
        let invocation = try Invocation(options, to: .changing)
        let wallet = try invocation.wallet(name)
        let registered = try await invocation.during {
            try await invocation.manager.register(wallet, by: invocation.choice, network: invocation.network)
        }
        if let output {
            try AnswerFile.write(
                Array((registered.text.text + "\n").utf8), to: output, overwriting: overwriting.force)
        }
        invocation.console.answer(
            RegisteredWalletDocument(registered, file: output),
            ["Card \(registered.card.label) registered the wallet “\(TerminalText.neutralized(name))”."]
                + (output.map { ["Written to \(TerminalText.neutralized($0))."] } ?? []))
    }
}

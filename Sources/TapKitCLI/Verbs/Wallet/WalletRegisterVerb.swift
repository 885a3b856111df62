import AnswerDocuments
import ArgumentParser
import TapManager
import TextLayout

/// `tapkit wallet register`: has a card sign a wallet.
struct WalletRegisterVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register", abstract: "Have a card sign the wallet, so that no change of it goes unnoticed.",
        discussion: """
            Shows the wallet's name, spending paths and keys. Once you have confirmed them, the card signs them. From \
            then on, tapkit tx sign and tapkit wallet receive --verify fail with that card if the stored wallet is \
            another one, and the wallet's change is proven although the card knows nothing about the other keys.

            The registration is stored with the wallet. --output also writes it to a file, which tapkit wallet add \
            --registration and HWI's commands read. Keep it to yourself: every address of the wallet follows from it, and \
            whoever listened to the reader meanwhile learns the CVC with it.
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

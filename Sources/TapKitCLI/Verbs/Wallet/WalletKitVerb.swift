import AnswerDocuments
import ArgumentParser
import TapManager
import TextLayout

/// `tapkit wallet kit`: writes what heirs need to find and spend a wallet's money.
struct WalletKitVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kit", abstract: "Write what heirs need: descriptors, policy, whose keys, a page to print.",
        discussion: """
            Writes a folder with the wallet's descriptors (descriptors.txt, core.json), what they mean and what to do \
            with them in plain words (read-me.txt), the same as a page to print, with QR codes (page.svg), and \
            everything for programs (wallet.json).

            The kit contains no private key, no CVC and no registration. Nobody can spend with it alone, but whoever reads it \
            sees every address and payment of the wallet. Keep it apart from the cards, the backup files and their \
            keys. tapkit wallet rehearse proves that it is enough.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The wallet's name.", completion: .wallets)
    var name: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder, which is made if it does not exist.", valueName: "folder"),
        completion: .directory)
    var output: String

    @Flag(help: "Overwrite a kit in the folder.")
    var force = false

    func run() async throws {
        let invocation = try Invocation(options, to: .tending)
        let manager = invocation.manager
        let wallet = try invocation.wallet(name)
        try manager.requireRoom(forKitIn: output, overwriting: force)
        let kit = try manager.kit(of: wallet)
        let text = KitText(kit)
        let files = try manager.write(
            kit, of: wallet,
            with: [KitFile(.readMe, text.readMe), KitFile(.page, try KitPage(kit, text).svg)], to: output,
            overwriting: force)
        let (word, folder) = (ShellWord.quoted(name), TerminalText.neutralized(ShellWord.quoted(output)))
        invocation.console.answer(
            KitAnswer(kit, files, in: output),
            ["The kit of the wallet “\(TerminalText.neutralized(name))” is in \(TerminalText.neutralized(output)):"]
                + files.map { "  \($0.name.rawValue)" },
            remarks: text.advice.map { TerminalText.neutralized($0) } + [
                "It contains no private key, no CVC and no registration, but whoever reads it sees every payment of the "
                    + "wallet.",
                "Next: tapkit wallet rehearse \(word) --kit \(folder) --backup FILE, to prove that it is enough",
            ])
    }
}

import AnswerDocuments
import ArgumentParser
import TapManager
import Terminal

/// `tapkit review`: what a PSBT does, without signing it.
struct ReviewVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review", abstract: "Show what a PSBT does, with all warnings, without a card.",
        discussion: """
            Shows what tapkit sign shows before it asks. It needs no card, no CVC and no server, and stores nothing. \
            Change is proven by the wallets in the local store, and by accounts that cards have proven earlier; other \
            change is only claimed by the file.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The PSBT: binary, Base64 or hexadecimal; - for standard input.", completion: .file())
    var file: String

    func run() async throws {
        let psbt = try PSBTFiles(input: file, output: file).read()
        let manager = try Invocation(options, to: .reading).manager
        let shown = manager.review(of: psbt, network: try options.network())
        let stored = shown.storedSignatures
        let note = stored == 0 ? [] : [ScreenLine("Note: \(Self.storedText(stored))")]
        options.console.answer(
            ReviewDocument(shown), screen: StoredTransactionText(shown).review(now: manager.now) + note)
    }

    private static func storedText(_ count: Int) -> String {
        "\(count) of these signatures \(count == 1 ? "is" : "are") only in the local store, not in the file."
    }
}

import ArgumentParser
import TapManager

/// `tapkit wallet remove`: forgets a wallet.
struct WalletRemoveVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forget a wallet. Its money stays where it is; the card still signs for it.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The wallet.")
    var name: String

    private struct Answer: Encodable {
        let name: String
        let removed: Bool
    }

    func run() async throws {
        let desk = try WalletDesk.openToLook(name, options)
        for descriptor in desk.stored.descriptors { options.console.note(descriptor) }
        try Confirmation.require(
            "Forget the wallet “\(name)”? Without these descriptors nobody finds its addresses again.",
            options)
        let isRemoved: Bool
        do { isRemoved = try desk.store.deleteWallet(named: desk.stored.name) } catch { throw Failure(error) }
        // Another process was faster.
        guard isRemoved else { throw Failure(WalletError.noSuchWallet(name)) }
        if options.isJSON {
            JSONAnswer.write(Answer(name: TerminalText.neutralized(name), removed: isRemoved))
        } else {
            options.console.say("Removed. Its stored transactions stay: tapkit tx list")
        }
    }
}

import ArgumentParser
import Bitcoin
import TapManager

/// `tapkit xpub`: the card's extended public key.
struct XpubVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "xpub", abstract: "Show the card's extended public key at its path, proven.")

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Show the master key instead of the key at the path.")
    var master = false

    private struct Answer: Encodable {
        let xpub: String
        /// With the version bytes for the path's address type; `nil` if the path has none.
        let slip132: String?
        let fingerprint: String
        let path: String

        init(master key: ExtendedPublicKey) {
            (xpub, slip132, fingerprint, path) = (key.text, nil, key.fingerprint.description, "m")
        }

        init(_ account: Account) {
            xpub = account.key.text
            slip132 = SLIP132Form(accountPath: account.path).map { account.key.text($0) }
            fingerprint = account.masterFingerprint.description
            path = account.path.description
        }
    }

    func run() async throws {
        let invocation = try Invocation(options)
        let card = try await invocation.card()
        let found = try await invocation.during { try await invocation.manager.account(of: card) }
        let answer = master ? Answer(master: found.masterKey) : Answer(found.account)
        invocation.console.answer(answer, [answer.xpub])
    }
}

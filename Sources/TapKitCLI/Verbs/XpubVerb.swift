import ArgumentParser
import Bitcoin
import TapManager

/// `tapkit xpub`: the card's extended public key.
struct XpubVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "xpub", abstract: "The card's extended public key at its path, proven.")

    @OptionGroup var options: GlobalOptions

    @Flag(help: "The master key instead of the key at the path.")
    var master = false

    private struct Answer: Encodable {
        let xpub: String
        let fingerprint: String
        let path: String
    }

    func run() async throws {
        let card = try await UnlockedCard.open(options, task: "show an xpub")
        let flow = card.accounts
        let isMaster = master
        let answer = try await card.progress.during { () async throws(FlowError) -> Answer in
            if isMaster {
                let key = try await flow.masterKey()
                return Answer(xpub: key.text, fingerprint: key.fingerprint.description, path: "m")
            }
            let account = try await flow.account()
            return Answer(
                xpub: account.key.text, fingerprint: account.masterFingerprint.description,
                path: account.path.description)
        }
        if options.isJSON { JSONAnswer.write(answer) } else { options.console.say(answer.xpub) }
    }
}

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
        /// With the version bytes of the path's type of address; `nil` when it stands for none.
        let slip132: String?
        let fingerprint: String
        let path: String
    }

    func run() async throws {
        let card = try await UnlockedCard.open(options, task: "show an xpub")
        let isMaster = master
        let (fingerprint, answer) = try await card.unlock { (cvc) async throws(FlowError) -> (Fingerprint, Answer) in
            let flow = AccountFlow(gate: card.gate, cvc: cvc)
            if isMaster {
                let key = try await flow.masterKey()
                return (
                    key.fingerprint,
                    Answer(xpub: key.text, slip132: nil, fingerprint: key.fingerprint.description, path: "m")
                )
            }
            let account = try await flow.account()
            let answer = Answer(
                xpub: account.key.text,
                slip132: SLIP132Form(accountPath: account.path).map { account.key.text($0) },
                fingerprint: account.masterFingerprint.description,
                path: account.path.description)
            return (account.masterFingerprint, answer)
        }
        options.remember(card.access.status, fingerprint: fingerprint)
        if options.isJSON { JSONAnswer.write(answer) } else { options.console.say(answer.xpub) }
    }
}

import ArgumentParser
import Bitcoin
import TapManager

/// `hwi signmessage MESSAGE PATH`: a signature as Bitcoin Core's `verifymessage` takes it.
struct HWISignMessage: HWICommand {
    static let configuration = CommandConfiguration(
        commandName: "signmessage", abstract: "Sign a message with the key at a path.")

    @OptionGroup var globals: HWIGlobals

    @Argument(help: "The message.")
    var message: String

    @Argument(help: "The path, for example m/84h/0h/0h/0/0.")
    var path: String

    struct Answer: Encodable {
        let signature: String
    }

    private static let shownLength = 200

    /// What the CVC is asked for: the person sees no more of the message than that.
    private static func purpose(_ message: String, _ path: DerivationPath, width: Int) -> String {
        let beginning = message.unicodeScalars.prefix(shownLength)
        let more = message.unicodeScalars.count - beginning.count
        return "sign the message\n" + QuotedText(String(beginning), width: width).lines.joined(separator: "\n")
            + (more > 0 ? "\nand \(more) more characters, " : "\n") + "with the key at \(path)"
    }

    func answer(_ session: HWISession) async throws -> Answer {
        let path = try PathArgument.parse(path)
        let card = try await session.card(for: Self.purpose(message, path, width: session.options.console.width))
        session.note("The message:")
        session.options.console.quote(message)
        let (bytes, network) = (Array(message.utf8), card.network)
        let result = try await card.visiting { (flow) throws(FlowError) in
            try await flow.sign(bytes, at: path, as: .p2pkh, network: network)
        }
        session.note("Signed as \(result.address).")
        return Answer(signature: result.signature)
    }
}

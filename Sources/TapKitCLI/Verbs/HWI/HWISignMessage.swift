import ArgumentParser
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

    func answer(_ session: HWISession) async throws -> Answer {
        let path = try PathArgument.parse(path)
        let card = try await session.card(for: "sign a message with the key at \(path)")
        let (bytes, network) = (Array(message.utf8), card.network)
        let result = try await card.visiting { (flow) throws(FlowError) in
            try await flow.sign(bytes, at: path, as: .p2pkh, network: network)
        }
        session.note("Signed as \(result.address).")
        return Answer(signature: result.signature)
    }
}

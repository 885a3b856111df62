import Bitcoin
import FrontEndText
import TapManager

/// `hwi signmessage MESSAGE PATH`: a signature as Bitcoin Core's `verifymessage` takes it.
struct HWISignMessage: HWICommand {
    private static let message = HWIOperand("message", .freeText, help: "The message.")
    private static let path = HWIOperand("path", help: "The path, for example m/84h/0h/0h/0/0.")

    static let grammar = HWIGrammar(
        "signmessage", abstract: "Sign a message with the key at a path.", operands: [message, path])

    private let message: String
    private let path: String

    init(_ values: HWIValues) { (message, path) = (values.text(Self.message), values.text(Self.path)) }

    struct Answer: Encodable {
        let signature: String
    }

    func answer(_ session: HWISession) async throws -> Answer {
        let path = try DerivationPath(typed: path)
        let candidates = try await session.candidates()
        let (text, network) = (Array(message.utf8), session.network)
        let result = try await session.work(among: candidates, to: "sign a message") { manager in
            try await manager.sign(text, at: path, by: candidates.meant, as: .p2pkh, network: network)
        }
        session.note("Signed as \(result.address).")
        return Answer(signature: result.signature.description)
    }
}

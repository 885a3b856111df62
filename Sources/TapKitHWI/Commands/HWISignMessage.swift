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

    private static let shownLength = 200

    func answer(_ session: HWISession) async throws -> Answer {
        let path = try DerivationPath(typed: path)
        let card = try await session.card(to: purpose(path, session.host))
        session.note("The message:")
        session.host.note(session.host.quoted(message))
        let result = try await card.sign(Array(message.utf8), at: path)
        session.note("Signed as \(result.address).")
        return Answer(signature: result.signature.description)
    }

    /// What the CVC is asked for: the user sees no more of the message than this.
    private func purpose(_ path: DerivationPath, _ host: any HWIHost) -> String {
        let beginning = message.unicodeScalars.prefix(Self.shownLength)
        let more = message.unicodeScalars.count - beginning.count
        return "sign the message\n" + host.quoted(String(beginning)).joined(separator: "\n")
            + (more > 0 ? "\nand \(more) more characters, " : "\n") + "with the key at \(path)"
    }
}

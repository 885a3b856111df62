import Bitcoin
import TapManager

/// `hwi registerdescriptor NAME DESCRIPTOR`: has the card sign a wallet, once the user has confirmed it.
///
/// Spec: HWI's development version, `hwilib/_cli.py`, `registerdescriptor`.
struct HWIRegisterDescriptor: HWICommand {
    private static let name = HWIOperand("name", .freeText, help: "The wallet's name.")
    private static let descriptor = HWIOperand("descriptor", help: "The wallet's descriptor.")

    static let grammar = HWIGrammar(
        "registerdescriptor", abstract: "Register a wallet's descriptor with the card.",
        discussion: """
            The wallet is shown on standard error. Unless a CVC was given, you are asked to confirm it. Then the card \
            signs it. Keep the answer: displayaddress and signtx take it with --registration, and refuse it if \
            anything in it was altered. The wallet is not stored.
            """,
        operands: [name, descriptor])

    private let name: String
    private let descriptor: String

    init(_ values: HWIValues) { (name, descriptor) = (values.text(Self.name), values.text(Self.descriptor)) }

    struct Answer: Encodable {
        let registration: String
    }

    func answer(_ session: HWISession) async throws -> Answer {
        let wallet = try WalletDraft(
            name: try WalletName(parsing: name), network: session.network, descriptors: [descriptor]
        ).wallet
        let card = try await session.card(to: "register a wallet")
        let registered = try await card.work {
            try await $0.register(wallet, with: card.device.card, expecting: card.device.fingerprint)
        }
        session.note("\(card.label) registered the wallet.")
        return Answer(registration: registered.text.text)
    }
}

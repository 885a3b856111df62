import Bitcoin
import FrontEndText
import TapManager

/// `hwi displayaddress`: an address of the card's, proven by it. The card has no display: the terminal shows it.
struct HWIDisplayAddress: HWICommand {
    private static let descriptor = HWIOption(
        "desc", value: .text("desc"), help: "A descriptor, for example wpkh([00000000/84h/0h/0h]xpub…/0/0).")
    private static let path = HWIOption(
        "path", value: .text("path"), help: "The path of the address's key, for example m/84h/0h/0h/0/0.")
    private static let addressType = HWIAddressType.option(help: "With --path: legacy, wit or sh_wit; default: wit.")

    static let grammar = HWIGrammar(
        "displayaddress", abstract: "Prove an address, and show it on standard error.",
        discussion: """
            The card has no display. The address is derived from the card's own key, which the card proves; a descriptor \
            that names another fingerprint or another key is refused.
            """,
        options: [descriptor, path, addressType], exclusions: [[descriptor, path]], requirement: [descriptor, path])

    private let descriptor: String?
    private let path: String
    private let addressType: HWIAddressType

    init(_ values: HWIValues) {
        descriptor = values.text(Self.descriptor)
        path = values.text(Self.path) ?? ""
        addressType = HWIAddressType(Self.addressType, in: values) ?? .wit
    }

    struct Answer: Encodable {
        let address: String
    }

    func answer(_ session: HWISession) async throws -> Answer {
        let address =
            if let descriptor { try await address(of: descriptor, session) } else { try await address(session) }
        return Answer(address: address.description)
    }

    private func address(of text: String, _ session: HWISession) async throws -> Address {
        let descriptor = try HWIDescriptor(text)
        let card = try await session.card(to: "prove an address")
        let keys: SignerKeys
        if let known = card.device.fingerprint {
            keys = try await card.keys(at: descriptor.accounts(of: known))
        } else {
            keys = try await card.keys(at: descriptor.accounts(of: card.keys(at: []).masterFingerprint))
        }
        // What the store remembers of a card is a hint; the card itself has the last word.
        _ = try descriptor.accounts(of: keys.masterFingerprint)
        try descriptor.verify(keys)
        let address = try descriptor.address(keys, on: session.network)
        session.note(
            "\(card.label) proves this address\(descriptor.isRanged ? ", the first of the descriptor's" : ""): \(address)"
        )
        if let caution = descriptor.caution(keys.masterFingerprint) { session.note(caution) }
        if let caution = HWIRemoteness.caution(descriptor.paths) { session.note(caution) }
        return address
    }

    private func address(_ session: HWISession) async throws -> Address {
        let path = try DerivationPath(typed: path)
        let kind = try addressType.kind()
        try HWICard.requireSignable(path)
        let card = try await session.card(to: "prove an address")
        let key = try await card.key(at: path).publicKey
        guard let address = Address(scriptPubKey: kind.scriptPubKey(for: key), network: session.network) else {
            throw HWIError(.badArgument, "There is no address at \(path).")
        }
        session.note("\(card.label) proves the address at \(path): \(address)")
        if let caution = HWIRemoteness.caution([path]) { session.note(caution) }
        return address
    }
}

import Bitcoin
import FrontEndText
import TapManager

/// `hwi displayaddress`: an address of the card, proven by it. The card has no display, so the terminal shows the
/// address.
struct HWIDisplayAddress: HWICommand {
    private static let descriptor = HWIOption(
        "desc", value: .text("desc"), help: "A descriptor, for example wpkh([00000000/84h/0h/0h]xpub…/0/0).")
    private static let path = HWIOption(
        "path", value: .text("path"), help: "The path of the address's key, for example m/84h/0h/0h/0/0.")
    private static let addressType = HWIAddressType.option(help: "With --path: legacy, wit or sh_wit; default: wit.")

    static let grammar = HWIGrammar(
        "displayaddress", abstract: "Prove an address, and show it on standard error.",
        discussion: """
            The card has no display. The address is derived from the card's own key, which the card proves; a \
            descriptor with another fingerprint or key is refused.
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
        do {
            let claim = try claim()
            let card = try await session.card(to: "prove an address")
            let proven = try await card.prove(claim)
            let place =
                descriptor == nil
                ? "the address at \(try DerivationPath(typed: path))"
                : "this address" + (proven.isFirstOfSeveral ? ", the descriptor's first one" : "")
            session.note("\(card.label) proves \(place): \(proven.address)")
            for caution in proven.cautions { session.note(Self.words(caution)) }
            return Answer(address: proven.address.description)
        } catch let error as AddressClaimError {
            throw HWIError(error, descriptor: descriptor)
        }
    }

    private func claim() throws -> AddressClaim {
        if let descriptor { return try AddressClaim(descriptor: descriptor) }
        return try AddressClaim(DerivationPath(typed: path), as: addressType.kind())
    }

    private static func words(_ caution: AddressCaution) -> String {
        switch caution {
        case .otherHolders(let count, let keyCount, let threshold):
            "It has \(keyCount) keys, any \(threshold) of which can spend. Not this card's, and not verified by it: \(count)."
        case .remote(let fault): "WARNING: \(fault)"
        }
    }
}

extension HWIError {
    /// Why an address is not proven: in HWI's own words, if it has any, because callers compare them.
    fileprivate init(_ error: AddressClaimError, descriptor: String?) {
        let text = descriptor ?? ""
        switch error {
        case .taproot: self.init(.unavailableAction, "Device does not support Taproot")
        case .otherScript: self.init(.badArgument, "Not a descriptor whose address a device displays: \(text)")
        case .noOrigin: self.init(.badArgument, "Descriptor missing origin info: \(text)")
        case .otherFingerprint: self.init(.badArgument, "Descriptor fingerprint does not match device: \(text)")
        case .falseKey: self.init(.badArgument, "Key in descriptor does not match device: \(text)")
        case .noDescriptor, .privateKey, .oneHolder, .noKey, .notSignable, .noAddress:
            self.init(.badArgument, error.message)
        }
    }
}

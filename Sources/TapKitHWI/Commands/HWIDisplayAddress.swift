import Bitcoin
import FrontEndText
import TapManager
import TextLayout

/// `hwi displayaddress`: an address of the card, proven by it. The card has no display, so the terminal shows the
/// address.
struct HWIDisplayAddress: HWICommand {
    private static let descriptor = HWIOption(
        "desc", value: .text("desc"), help: "A descriptor, for example wpkh([00000000/84h/0h/0h]xpub…/0/0).")
    private static let path = HWIOption(
        "path", value: .text("path"), help: "The path of the address's key, for example m/84h/0h/0h/0/0.")
    private static let addressType = HWIAddressType.option(help: "With --path: legacy, wit or sh_wit; default: wit.")

    private static let registration = HWIOption(
        "registration", value: .text("text"), help: "What registerdescriptor returned.")
    private static let index = HWIOption(
        "index", value: .number("number"), help: "With --registration: the address's number in its branch.")
    private static let branch = HWIOption(
        "multipath-index", value: .number("number"), help: "With --registration: the branch, from 0; default: 0.")
    private static let isChange = HWIOption("change", help: "The same as --multipath-index 1.")

    static let grammar = HWIGrammar(
        "displayaddress", abstract: "Prove an address, and show it on standard error.",
        discussion: """
            The card has no display. The address is derived from the card's own key, which the card proves; a \
            descriptor with another fingerprint or key is refused. With --registration, it is an address of a wallet \
            that the card registered, exactly as it was then.
            """,
        options: [descriptor, path, registration, addressType, index, branch, isChange],
        exclusions: [[descriptor, path, registration], [branch, isChange]],
        requirement: [descriptor, path, registration])

    private let descriptor: String?
    private let path: String
    private let registration: String?
    private let index: Int?
    private let branch: Int?
    private let addressType: HWIAddressType

    init(_ values: HWIValues) {
        descriptor = values.text(Self.descriptor)
        path = values.text(Self.path) ?? ""
        registration = values.text(Self.registration)
        index = values.number(Self.index)
        branch = values.has(Self.isChange) ? 1 : values.number(Self.branch)
        addressType = HWIAddressType(Self.addressType, in: values) ?? .wit
    }

    struct Answer: Encodable {
        let address: String
        /// With `--registration`: where in the wallet it is.
        var index: Int?
        var multipathIndex: Int?
    }

    func answer(_ session: HWISession) async throws -> Answer {
        if registration != nil || index != nil || branch != nil { return try await registered(session) }
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

    /// An address of a registered wallet. HWI's own words for what is missing.
    private func registered(_ session: HWISession) async throws -> Answer {
        guard let registration else { throw HWIError(.badArgument, "Missing --registration") }
        guard let index else { throw HWIError(.badArgument, "Missing --index") }
        guard let place = UInt32(exactly: index), place < 1 << 31 else {
            throw HWIError(.badArgument, "Address index must be non-negative")
        }
        let number = branch ?? 0
        guard number >= 0 else { throw HWIError(.badArgument, "Multipath index must be non-negative") }
        let text = try HWIRegistration.read(registration)
        let card = try await session.card(to: "prove an address")
        let (address, caution) = try await card.work {
            try await $0.prove(
                text, branch: number, index: place, by: card.device.card, expecting: card.device.fingerprint,
                network: session.network)
        }
        session.note(
            "\(card.label) proves address \(index) of the wallet “\(TerminalText.neutralized(text.name))”: \(address)")
        if let caution { session.note(Self.words(.remote(caution))) }
        return Answer(address: address.description, index: index, multipathIndex: number)
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

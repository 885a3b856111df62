import ArgumentParser
import Bitcoin
import TapManager
import TapProtocol

/// `tapkit message sign`: signs a message with one of the card's keys.
struct MessageSignVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a message, to prove that you own an address.",
        discussion: """
            A TAPSIGNER or SATSCHIP signs with the key of the account's first address, or another key below the card's \
            path. A SATSCARD signs with an unsealed slot.
            """)

    /// The formats that a card can sign in.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        /// 65 bytes, with the address type in the header.
        case bip137
        /// The simple format, for P2WPKH.
        case bip322

        var signatureFormat: MessageSignatureFormat { self == .bip137 ? .bip137 : .bip322Simple }
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("The message, or - for standard input, signed byte for byte.", valueName: "text"))
    var text: String

    @Option(help: ArgumentHelp("bip137, or bip322 (simple, for P2WPKH addresses).", valueName: "format"))
    var format = Format.bip137

    @Option(
        help: ArgumentHelp(
            "TAPSIGNER, SATSCHIP: up to two unhardened steps below the card's path; default 0/0.", valueName: "path"))
    var path: String?

    @Option(
        help: ArgumentHelp(
            "p2wpkh, p2sh-p2wpkh or p2pkh; default: by the card's path.", valueName: "type"))
    var addressType: AddressType?

    @Option(help: ArgumentHelp("SATSCARD: an unsealed slot; default: the last unsealed one.", valueName: "number"))
    var slot: Int?

    private struct Answer: Encodable {
        let address: String
        let signature: String
        let format: String
    }

    func run() async throws {
        let subpath = try subpath()
        let slotNumber = try slot.map { number throws(Failure) in try SlotArgument.parse(number) }
        try GlobalOptions.requireOneInput([
            ("The message", text == "-"), ("the CVC", options.readsCVCFromStandardInput),
        ])
        let message = try MessageArgument.bytes(text)
        let invocation = try Invocation(options)
        let card = try await invocation.card()
        let isSatscard = card.status.product == .satscard
        guard isSatscard ? path == nil && addressType == nil : slot == nil else {
            let product = card.status.product.displayName
            let option = isSatscard ? "--path or --address-type" : "--slot"
            throw Failure(.notSupported, "\(option) does not apply to a \(product).", hint: "Leave it out.")
        }
        let signer = isSatscard ? MessageSigner.slot(slotNumber) : .path(subpath, addressType?.kind)
        let result = try await invocation.during {
            try await invocation.manager.signMessage(
                message, by: signer, format: format.signatureFormat, network: invocation.network, on: card)
        }
        let console = invocation.console
        let (signed, text) = (result.signature.format, result.signature.description)
        if !console.isJSON { console.note("Signature of \(result.address) (\(signed)):") }
        console.answer(
            Answer(address: result.address.description, signature: text, format: signed.rawValue), [text])
    }

    /// The steps below the card's path.
    private func subpath() throws(Failure) -> DerivationPath {
        let text = path ?? "0/0"
        let parsed = try PathArgument.parse(text.hasPrefix("m") ? text : "m/" + text)
        guard MessageSigner.isSubpath(parsed) else {
            throw Failure(
                .badPath, "--path takes up to two unhardened steps below the card's own path, not \(parsed).",
                hint: "For example 0/5. For another account, move the card with tapkit derive.")
        }
        return parsed
    }
}

import AnswerDocuments
import ArgumentParser
import Bitcoin
import TapManager

/// `tapkit message verify`: whether an address signed a message. Needs no card.
struct MessageVerifyVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify a signed message; needs no card.",
        discussion:
            "Supports BIP-137 and the simple, full and proof-of-funds formats of BIP-322, for every type of address.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("The address that supposedly signed the message.", valueName: "address"))
    var address: String

    @Argument(help: ArgumentHelp("The signature.", valueName: "sig"))
    var signature: String

    @Argument(help: ArgumentHelp("The message, or - for standard input, byte for byte.", valueName: "text"))
    var text: String

    func run() async throws {
        let network = try options.network()
        try options.requireSense()
        let signer = try signer(network)
        let message = try MessageArgument.bytes(text)
        let verdict = SignedMessage.verify(message: message, address: signer, signature: signature)
        switch verdict.outcome {
        case .valid(let proof): answer(proof, format: verdict.format)
        case .invalid(let fault), .inconclusive(let fault):
            var failure = Failure(fault)
            failure.isValid = false
            throw failure
        }
    }

    private func signer(_ network: Network?) throws(Failure) -> UncheckedAddress {
        do throws(AddressError) {
            let unchecked = try UncheckedAddress(parsing: address)
            if let network { _ = try unchecked.require(network) }
            return unchecked
        } catch {
            let failure = Failure(error, of: address)
            guard case .wrongNetwork = error else { throw failure }
            throw failure.advising(NetworkSource.ofThisRun.hint(for: "address"))
        }
    }

    private func answer(_ proof: MessageProof, format: MessageSignatureFormat?) {
        let document = SignedMessageDocument(address: address, format: format, proof)
        options.console.answer(document, document.lines)
    }
}

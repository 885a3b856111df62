import AnswerDocuments
import ArgumentParser
import Bitcoin
import TapManager
import TextLayout

/// `tapkit wallet receive`: the next unused address.
struct WalletReceiveVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive", abstract: "Show the wallet's next unused address.",
        discussion: """
            With --verify, the cards on the readers prove that they have keys of the address and of the matching \
            change. This detects a wallet that an attacker has substituted. With several keys, it shows how many \
            remain unproven; if a card registered the wallet, all of them count as proven. An address that the card \
            cannot sign for, or that wallets would not find, is refused. --index selects an address other than the next one.

            Whoever can write the local store can alter a wallet and remove its registration with it. With --registration, \
            the wallet must be the one in a file that tapkit wallet register wrote, and that you kept elsewhere.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var offline: OfflineOptions

    @Argument(help: "The wallet's name.", completion: .wallets)
    var name: String

    @Flag(help: "Let the cards on the readers prove that the address is theirs; needs the CVC.")
    var verify = false

    @Option(
        help: ArgumentHelp(
            "With --verify: the wallet must be as in this file, and registered by each of the cards; repeatable.",
            valueName: "file"), completion: .file())
    var registration: [String] = []

    @Option(help: ArgumentHelp("The address with this number instead of the next unused one.", valueName: "number"))
    var index: UInt32?

    @OptionGroup var picture: QRCodeOptions

    func run() async throws {
        guard verify || registration.isEmpty else {
            throw Failure(.usage, "--registration works only with --verify.")
        }
        let registrations = try RegistrationFile.readSigned(registration)
        let drawing = try picture.drawing()
        let invocation = try Invocation(options, to: .reading, asksChain: !offline.offline)
        let wallet = try invocation.wallet(name)
        let found = try await invocation.during {
            try await invocation.manager.receivingAddress(of: wallet, number: index)
        }
        let address = found.address
        var warnings = found.remarks.map(\.words)
        let proof = verify ? try await prove(found, wallet, registrations, invocation) : nil
        if let warning = proof?.warning { warnings.append(warning) }
        if let proof, wallet.wallet.hasConditions, !proof.isRegistered {
            warnings.append(unregistered(by: proof.cards))
        }
        let uri = PaymentURI(address: address)
        let code = try drawing?.prepare(uri)
        let console = invocation.console
        let change = wallet.wallet.changeBranch?.isChange == true ? ", and of the matching change" : ""
        console.answer(
            ReceivingDocument(
                found, of: wallet, proof: proof, warnings: warnings, qrFile: drawing?.file?.path),
            [address.description],
            remarks: [found.path.map { "Path: \($0)" }].compactMap(\.self)
                + (proof?.cards ?? []).map { "Card \($0) has a key of this address\(change)." }
                + (proof?.isRegistered == true ? ["The wallet is as the card registered it."] : [])
                + warnings)
        if let drawing, let code { try drawing.show(code, on: console) }
    }

    /// Without a registration, whoever can write the local store can alter the other keys, and when they can spend.
    private func unregistered(by cards: [CardIdent]) -> String {
        let them = cards.count == 1 ? "Card \(cards[0]) has not" : "Not all of these cards have"
        return "\(them) registered this wallet. Once a card has, tapkit notices if somebody alters the wallet: "
            + "tapkit wallet register \(ShellWord.quoted(name))"
    }

    private func prove(
        _ address: ReceivingAddress, _ wallet: OpenedWallet, _ registrations: [RegistrationText],
        _ invocation: Invocation
    ) async throws -> AddressProof {
        let invocation = try invocation.withCards()
        let known = try invocation.manager.lastChain(of: wallet)
        return try await invocation.during {
            try await invocation.manager.prove(
                address, of: wallet, registeredAs: registrations, known: known, by: invocation.choice,
                network: invocation.network)
        }
    }
}

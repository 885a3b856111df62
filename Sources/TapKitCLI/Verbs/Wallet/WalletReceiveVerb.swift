import ArgumentParser
import Bitcoin
import TapManager

/// `tapkit wallet receive`: the next address that nobody has paid to.
struct WalletReceiveVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive", abstract: "The wallet's next unused address.",
        discussion: """
            With --verify the cards on the readers show that they have keys of the address and of the change that goes with \
            it, so that a wallet that somebody slipped in is noticed; with several keys it says what remains to be trusted. An \
            address that a card cannot sign for, or where wallets do not look, is refused. --index names another address \
            than the next.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var offline: OfflineOptions

    @Argument(help: "The wallet.", completion: .wallets)
    var name: String

    @Flag(help: "Let the cards on the readers show that the address is theirs; needs the CVC.")
    var verify = false

    @Option(help: ArgumentHelp("The address of this number instead of the next unused one.", valueName: "number"))
    var index: UInt32?

    @OptionGroup var picture: QRCodeOptions

    private struct Answer: Encodable {
        let name: String
        let address: String
        let path: String?
        let index: UInt32
        let descriptor: String?
        let uri: String
        /// Whether cards showed that nobody can spend it without them; `nil`: not asked.
        let verified: Bool?
        /// How many of its keys the cards showed to have.
        let verifiedKeys: Int?
        /// The first card that did.
        let ident: String?
        let qrFile: String?
        let warnings: [String]
    }

    func run() async throws {
        let drawing = try picture.drawing()
        let invocation = try Invocation(options, to: .reading, asksChain: !offline.offline)
        let wallet = try invocation.wallet(name)
        let found = try await invocation.during {
            try await invocation.manager.receivingAddress(of: wallet, number: index)
        }
        let (address, place) = (found.address, found.place)
        var warnings = found.remarks.map(\.words)
        let proof = verify ? try await prove(found, wallet) : nil
        if let warning = proof?.warning { warnings.append(warning) }
        let uri = PaymentURI(address: address)
        let code = try drawing?.prepare(uri)
        let console = invocation.console
        let change = wallet.wallet.changeBranch?.isChange == true ? ", and of the change that goes with it" : ""
        console.answer(
            Answer(
                name: TerminalText.neutralized(wallet.wallet.name), address: address.description,
                path: found.path?.description, index: place.index,
                descriptor: wallet.wallet.descriptors[place.descriptor].text, uri: uri.description,
                verified: proof.map(\.isSafe), verifiedKeys: proof?.cards.count,
                ident: proof?.cards.first?.description, qrFile: drawing?.file?.path, warnings: warnings),
            [address.description],
            remarks: [found.path.map { "Path: \($0)" }].compactMap(\.self)
                + (proof?.cards ?? []).map { "The card \($0) has a key of this address\(change)." } + warnings)
        if let drawing, let code { try drawing.show(code, on: console) }
    }

    private func prove(_ address: ReceivingAddress, _ wallet: OpenedWallet) async throws -> AddressProof {
        // With the CVC now.
        let invocation = try Invocation(options)
        let known = try invocation.manager.lastChain(of: wallet)
        return try await invocation.during {
            try await invocation.manager.prove(
                address, of: wallet, known: known, by: invocation.choice, network: invocation.network)
        }
    }
}

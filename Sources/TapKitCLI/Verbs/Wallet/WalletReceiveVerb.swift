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

    @Argument(help: "The wallet.")
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
        let desk = try WalletDesk.open(name, options)
        guard let branch = desk.wallet.receivingBranch else { throw Failure(WalletError.noAddress(.noSuchScript)) }
        var warnings: [String] = []
        let number: UInt32
        if let index {
            number = index
            let known = try desk.known()
            let next = known?.nextIndex(descriptor: branch.descriptor, branch: branch.number) ?? 0
            if branch.isRanged, index < next {
                warnings.append("The address was used before, or stands before one that was.")
            }
            warnings += Self.distance(of: index, known, branch)
        } else if try options.chainServer() != nil && !offline.offline {
            let chain = try await desk.chain(offline)
            number = chain.nextIndex(descriptor: branch.descriptor, branch: branch.number)
            warnings += Self.distance(of: number, chain, branch)
            if !chain.hasHistory {
                warnings.append("This server tells only what is unspent: the address may have been used and emptied.")
            }
        } else if let known = try desk.known() {
            number = known.nextIndex(descriptor: branch.descriptor, branch: branch.number)
            warnings += Self.distance(of: number, known, branch)
            warnings.append("Whether it is still unused was asked \(WalletDesk.age(of: known)).")
        } else {
            number = 0
            warnings.append("No chain server was asked: the address may have been used.")
        }
        let place = branch.place(branch.isRanged ? number : 0)
        let address: Address
        do throws(WalletError) { address = try desk.wallet.address(at: place) } catch { throw Failure(error) }
        let proof = verify ? try await prove(place, desk) : nil
        if let warning = proof?.warning { warnings.append(warning) }
        let uri = PaymentURI(address: address)
        let code = try drawing?.prepare(uri)
        if options.isJSON {
            JSONAnswer.write(
                Answer(
                    name: TerminalText.neutralized(desk.wallet.name), address: address.description,
                    path: desk.wallet.origins(of: place).first?.path.description, index: place.index,
                    descriptor: desk.wallet.descriptors[place.descriptor].text, uri: uri.description,
                    verified: proof.map(\.isSafe), verifiedKeys: proof?.cards.count,
                    ident: proof?.cards.first?.description, qrFile: drawing?.file?.path,
                    warnings: warnings))
        } else {
            options.console.say(address.description)
            if let origin = desk.wallet.origins(of: place).first { options.console.note("Path: \(origin.path)") }
            let change = desk.wallet.changeBranch?.isChange == true ? ", and of the change that goes with it" : ""
            for ident in proof?.cards ?? [] {
                options.console.note("The card \(ident) has a key of this address\(change).")
            }
            for warning in warnings { options.console.note(warning) }
        }
        if let drawing, let code { try drawing.show(code, on: options.console) }
    }

    private func prove(_ place: WalletPlace, _ desk: WalletDesk) async throws(Failure) -> AddressProof {
        let known = try desk.known()
        let invocation = try Invocation(options)
        return try await invocation.during {
            try await invocation.manager.prove(
                place, of: desk.wallet, known: known, by: invocation.choice, network: invocation.network)
        }
    }

    /// Says so when other wallets would not find what is paid to an address.
    private static func distance(of index: UInt32, _ chain: WalletChain?, _ branch: WatchWallet.Branch) -> [String] {
        guard branch.isRanged else { return [] }
        // A server without histories does not tell which addresses were paid and emptied.
        let count =
            chain.map { chain in
                chain.hasHistory
                    ? chain.reachableCount(descriptor: branch.descriptor, branch: branch.number)
                    : chain.nextIndex(descriptor: branch.descriptor, branch: branch.number)
            } ?? 0
        guard index + 1 >= count + UInt32(WalletSync.usualGapLimit) else { return [] }
        return [
            "The address is \(index + 1 - count) behind the last paid one that wallets find by themselves: most do not look there "
                + "(tapkit wallet sync --gap-limit)."
        ]
    }
}

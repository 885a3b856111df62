import AnswerDocuments
import ArgumentParser
import Bitcoin
import Glibc
import QRCodes
import TapManager
import Terminal

/// `tapkit export`: exports a card's account or a wallet for other programs.
struct ExportVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export the card's account or a wallet for other programs.",
        discussion: """
              descriptors        output descriptors with origin and checksum; --split: one for each branch
              core               the argument of Bitcoin Core's importdescriptors
              sparrow            Sparrow's text file of an output descriptor
              electrum           a watch-only Electrum wallet file
              coldcard           COLDCARD's generic JSON, which many wallets read
              specter            Specter's wallet file
              slip132            the key as ypub, zpub, Ypub, Zpub, upub, vpub, Upub or Vpub
              cosigner           [fingerprint/path]xpub, as a multisig coordinator needs it
              coldcard-multisig  COLDCARD's text file of a multisig wallet
              bsms               BIP-129: the card's key, signed with it (round 1), or with --wallet the wallet (round 2)
              liana              with --wallet: the descriptor of a policy that Liana supports

            The card's path determines its address type (BIP-44, 49, 84; BIP-48 for cosigners). With --wallet, a \
            wallet of the local store is exported, and no card is needed.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(
        help: ArgumentHelp(ExportFormat.allCases.map(\.rawValue).joined(separator: ", ") + ".", valueName: "format"))
    var format: ExportFormat

    @OptionGroup var choice: ExportOptions
    @OptionGroup var overwriting: OverwritingOption
    @OptionGroup var picture: QRTransferOptions

    func run() async throws {
        let order = try choice.order(format)
        let transfer = try picture.transfer()
        let (export, isSimulated) = try await export(order)
        // An existing file may be a wallet that another program uses.
        if let file = choice.file {
            try AnswerFile.write(Array(export.text.utf8), to: file, overwriting: overwriting.force)
        }
        options.console.note(lines: export.remarks.map(\.words))
        // A QR code leaves out the final line end.
        let codeText = export.text.hasSuffix("\n") ? String(export.text.dropLast()) : export.text
        let code = QRContent(text: codeText, isJSON: format.isJSON)
        let images = try transfer?.write(code)
        if options.isJSON, !format.isJSON || choice.file != nil {
            JSONAnswer.write(
                ExportDocument(
                    export, format: format.rawValue, warnings: export.remarks.map(\.words), isSimulated: isSimulated,
                    file: choice.file, qrFiles: images))
        } else if let file = choice.file {
            options.console.say("Saved to \(file).")
        } else {
            Console.write(export.text, to: STDOUT_FILENO)
        }
        if let instruction = format.instruction(file: choice.file) { options.console.note(instruction) }
        try transfer?.show(code, images, on: options.console, hasAnswer: choice.file == nil)
    }

    private func export(_ order: ExportOrder) async throws -> (Export, isSimulated: Bool) {
        let invocation = try Invocation(options, to: choice.wallet == nil ? .changing : .reading)
        let manager = invocation.manager
        do {
            if let name = choice.wallet { return (try manager.export(invocation.wallet(name), as: order), false) }
            let card = try await invocation.card()
            let export = try await invocation.during {
                try await manager.export(card, as: order, network: invocation.network)
            }
            return (export, card.isSimulated)
        } catch let error as ExportError { throw Failure(error, format: format) }
    }
}

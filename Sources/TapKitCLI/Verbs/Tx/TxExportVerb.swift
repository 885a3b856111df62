import ArgumentParser
import Bitcoin
import Glibc
import QRCodes
import TapManager
import Terminal

/// `tapkit tx export`: a stored transaction as a PSBT.
struct TxExportVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export a stored transaction as a PSBT, with all its signatures.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The transaction's id, or the start of it.", completion: .transactions)
    var id: String

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The output file; default: Base64 on standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var overwriting: OverwritingOption

    @Option(
        help: ArgumentHelp(
            "binary, base64 or hex; default: binary in a file, otherwise base64.", valueName: "form"))
    var form: PSBTForm?

    @Option(help: ArgumentHelp("0 or 2; default: the stored version.", valueName: "version"))
    var psbtVersion: UInt32?

    @OptionGroup var picture: QRTransferOptions

    private struct Answer: Encodable {
        let id: String
        let state: String
        let psbt: String
        let file: String?
        let qrFiles: [String]?
    }

    func run() async throws {
        let transfer = try picture.transfer()
        let transaction = try Invocation(options, to: .reading).manager.transaction(named: id)
        let psbt = try converted(transaction.psbt)
        let file = output == "-" ? nil : output
        let encoded = psbt.encoded(as: (form ?? (file == nil ? .base64 : .binary)).fileForm)
        let lineEnd: [UInt8] = form == .binary || (form == nil && file != nil) ? [] : [UInt8(ascii: "\n")]
        if let file {
            try AnswerFile.write(encoded + lineEnd, to: file, overwriting: overwriting.force)
        }
        let codes = try transfer?.write(QRContent(psbt))
        answer(transaction, psbt, file, encoded + lineEnd, qrFiles: codes)
        try transfer?.show(QRContent(psbt), codes, on: options.console, hasAnswer: file == nil)
    }

    private func answer(
        _ transaction: StoredTransaction, _ psbt: PSBT, _ file: String?, _ bytes: [UInt8], qrFiles: [String]?
    ) {
        guard !options.isJSON else {
            JSONAnswer.write(
                Answer(
                    id: transaction.id.description, state: transaction.summary.state.rawValue,
                    psbt: psbt.base64Text, file: file,
                    qrFiles: qrFiles))
            return
        }
        if let file {
            options.console.say("Saved to \(file).")
        } else {
            Console.write(bytes, to: STDOUT_FILENO)
        }
    }

    private func converted(_ psbt: PSBT) throws(Failure) -> PSBT {
        guard let psbtVersion else { return psbt }
        guard let version = PSBT.Version(rawValue: psbtVersion) else {
            throw Failure(.usage, "There is no PSBT version \(psbtVersion): use 0 or 2.")
        }
        do { return try psbt.converted(to: version) } catch { throw Failure(error, file: "the stored PSBT") }
    }
}

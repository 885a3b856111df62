import ArgumentParser
import Bitcoin
import Glibc
import TapManager

/// `tapkit wallet labels`: what the person and other wallets wrote about addresses, transactions and coins.
struct WalletLabelsVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "labels", abstract: "Labels, as other wallets write and read them (BIP-329).",
        subcommands: [WalletLabelsExportVerb.self, WalletLabelsImportVerb.self])
}

/// `tapkit wallet labels export`: writes labels to a file.
struct WalletLabelsExportVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a wallet's labels to a file, one JSON object a line.",
        discussion: "All labels are written that are not known to be about another wallet.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The wallet.", completion: .wallets)
    var name: String

    @Argument(help: "The file; - for standard output.", completion: .file())
    var file: String

    @OptionGroup var overwriting: OverwritingOption

    private struct Answer: Encodable {
        let name: String
        let file: String
        let labels: Int
    }

    func run() async throws {
        let invocation = try Invocation(options, to: .reading)
        let wallet = try invocation.walletToLook(name)
        let labels = try invocation.manager.labels(of: wallet)
        let bytes = LabelFile(labels).bytes
        if file == "-" {
            guard !invocation.console.isJSON else {
                throw Failure(.usage, "--json and labels cannot both be standard output.")
            }
            return Console.write(bytes, to: STDOUT_FILENO)
        }
        try AnswerFile.write(bytes, to: file, overwriting: overwriting.force)
        invocation.console.answer(
            Answer(name: TerminalText.neutralized(name), file: file, labels: labels.count),
            ["\(labels.count.counted("label")) written to \(file)."])
    }
}

/// `tapkit wallet labels import`: reads labels from a file.
struct WalletLabelsImportVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Read labels from a file; those about the same thing are replaced.",
        discussion: """
            An output whose label says that it is not spendable is frozen: it is spent only when --coin names it. Labels that \
            thaw frozen coins are asked about.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The wallet.", completion: .wallets)
    var name: String

    @Argument(help: "The file; - for standard input.", completion: .file())
    var file: String

    private struct Answer: Encodable {
        let name: String
        let imported: Int
        /// Lines with types that are not known.
        let ignored: Int
        /// How many are about this wallet, as far as is known.
        let own: Int
        /// Coins that were frozen, and are not any more.
        let thawed: [String]
    }

    func run() async throws {
        let invocation = try Invocation(options, to: .reading)
        let wallet = try invocation.walletToLook(name)
        let bytes = try InputFile.read(file, limit: LabelFile.maximumSize)
        let content: LabelFile
        do throws(LabelFileError) { content = try LabelFile(parsing: bytes) } catch {
            throw Failure(error, file: file).hinting("Nothing was imported.")
        }
        let saved = try await invocation.manager.importLabels(content.labels, to: wallet)
        let ignored = content.ignoredLines.count
        let rest = ignored == 0 ? "" : "; \(ignored) of unknown types were passed over"
        invocation.console.answer(
            Answer(
                name: TerminalText.neutralized(name), imported: saved.count, ignored: ignored, own: saved.own,
                thawed: saved.thawed.map(\.description)),
            ["\(saved.count.counted("label")) imported, \(saved.own) about this wallet\(rest)."])
    }
}

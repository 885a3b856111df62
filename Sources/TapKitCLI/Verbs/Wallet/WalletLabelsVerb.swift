import AnswerDocuments
import ArgumentParser
import Bitcoin
import FrontEndText
import Glibc
import TapManager
import Terminal
import TextLayout

/// `tapkit wallet labels`: labels of addresses, transactions and coins, from the user and other wallets.
struct WalletLabelsVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "labels", abstract: "Export and import labels in the format of other wallets (BIP-329).",
        subcommands: [WalletLabelsExportVerb.self, WalletLabelsImportVerb.self])
}

/// `tapkit wallet labels export`: exports labels to a file.
struct WalletLabelsExportVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export a wallet's labels to a file, one JSON object per line.",
        discussion: "Exports all labels that are not known to belong to another wallet.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The wallet's name.", completion: .wallets)
    var name: String

    @Argument(help: "The output file; - for standard output.", completion: .file())
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
                throw Failure(.usage, "--json and labels cannot both use standard output.")
            }
            return Console.write(bytes, to: STDOUT_FILENO)
        }
        try AnswerFile.write(bytes, to: file, overwriting: overwriting.force)
        invocation.console.answer(
            Answer(name: TerminalText.neutralized(name), file: file, labels: labels.count),
            ["\(labels.count.counted("label")) saved to \(file)."])
    }
}

/// `tapkit wallet labels import`: imports labels from a file.
struct WalletLabelsImportVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import labels from a file; they replace existing labels of the same items.",
        discussion: """
            An output that its label marks as not spendable is frozen: it is only spent if --coin names it. If labels \
            unfreeze coins, you are asked first.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The wallet's name.", completion: .wallets)
    var name: String

    @Argument(help: "The file; - for standard input.", completion: .file())
    var file: String

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
        let rest = ignored == 0 ? "" : "; \(ignored) of unknown types skipped"
        invocation.console.answer(
            ImportedLabelsDocument(saved, for: name, ignored: ignored),
            ["\(saved.count.counted("label")) imported, \(saved.own) for this wallet\(rest)."]
                + list("Coins that are frozen now:", saved.frozen.map(\.description))
                + list("Keys that are shown with their labels now:", saved.keys.map(\.name))
                + list("Keys that are no longer shown with their labels:", saved.unlabelled.map(\.name))
                + list("Addresses of others that have a new label now:", saved.payees.map(labelled)))
    }

    /// An address with its label, as reviews show both.
    private func labelled(_ payee: CardManager.ImportedLabels.Payee) -> String {
        "\(payee.address) \(LabelText.quoted(payee.label) ?? "(with a label that is not shown)")"
    }

    /// What else the labels changed: whoever wrote the file may have chosen it.
    private func list(_ title: String, _ names: [String]) -> [String] {
        guard !names.isEmpty else { return [] }
        let rest = names.count - Self.mostNames
        return [title] + names.prefix(Self.mostNames).map { "  \($0)" } + (rest > 0 ? ["  and \(rest) more"] : [])
    }

    private static let mostNames = 20
}

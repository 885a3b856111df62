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

    private static let fileMode: mode_t = 0o600

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The wallet.")
    var name: String

    @Argument(help: "The file, which must not exist; - for standard output.", completion: .file())
    var file: String

    private struct Answer: Encodable {
        let name: String
        let file: String
        let labels: Int
    }

    func run() async throws {
        let desk = try WalletDesk.openToLook(name, options)
        let labels = try labels(desk)
        let bytes = LabelFile(labels).bytes
        if file == "-" {
            guard !options.isJSON else { throw Failure(.usage, "--json and labels cannot both be standard output.") }
            return Console.write(bytes, to: STDOUT_FILENO)
        }
        do { try AtomicFile.writeKeeping(bytes, at: file, mode: Self.fileMode) } catch {
            guard error.errorNumber == EEXIST else { throw Failure(error) }
            throw Failure(.wouldOverwrite, "\(file) exists.", hint: "Name another file.")
        }
        if options.isJSON {
            JSONAnswer.write(Answer(name: TerminalText.neutralized(name), file: file, labels: labels.count))
        } else {
            options.console.say("\(labels.count) label\(labels.count == 1 ? "" : "s") written to \(file).")
        }
    }

    private func labels(_ desk: WalletDesk) throws(Failure) -> [Label] {
        do throws(StoreError) {
            let own = LabelScope(desk.wallet, try desk.store.chain(of: desk.stored.name))
            var others: [LabelScope] = []
            for stored in try desk.store.wallets() where stored.name != desk.stored.name {
                guard let wallet = try? WatchWallet(stored) else { continue }
                others.append(LabelScope(wallet, try desk.store.chain(of: stored.name)))
            }
            return try desk.store.labels()
                .filter { label in own.contains(label) || !others.contains { $0.contains(label) } }
                .compactMap(\.fileLabel)
        } catch { throw Failure(error) }
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

    @Argument(help: "The wallet.")
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
        let desk = try WalletDesk.openToLook(name, options)
        let bytes = try InputFile.read(file, limit: LabelFile.maximumSize)
        let content: LabelFile
        do throws(LabelFileError) { content = try LabelFile(parsing: bytes) } catch {
            throw Failure(.badLabels, "\(file): \(error).", hint: "Nothing was imported.")
        }
        let labels = content.labels.map(StoredLabel.init)
        let thawed: [Outpoint]
        do throws(StoreError) { thawed = try desk.store.coinsThawed(by: labels) } catch { throw Failure(error) }
        if !thawed.isEmpty {
            options.console.note("These labels thaw \(thawed.count == 1 ? "a frozen coin" : "frozen coins"):")
            for coin in thawed { options.console.note("  \(coin)") }
            try Confirmation.require("Let \(thawed.count == 1 ? "it" : "them") be spent from now on?", options)
        }
        let own: Int
        do throws(StoreError) {
            let scope = LabelScope(desk.wallet, try desk.store.chain(of: desk.stored.name))
            own = labels.count(where: scope.contains)
            try desk.store.save(labels)
        } catch { throw Failure(error) }
        let ignored = content.ignoredLines.count
        if options.isJSON {
            JSONAnswer.write(
                Answer(
                    name: TerminalText.neutralized(name), imported: labels.count, ignored: ignored, own: own,
                    thawed: thawed.map(\.description)))
        } else {
            let rest = ignored == 0 ? "" : "; \(ignored) of unknown types were passed over"
            options.console.say(
                "\(labels.count) label\(labels.count == 1 ? "" : "s") imported, \(own) about this wallet\(rest).")
        }
    }
}

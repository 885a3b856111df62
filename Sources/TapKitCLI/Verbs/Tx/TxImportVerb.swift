import ArgumentParser
import Bitcoin
import TapManager

/// `tapkit tx import`: stores a PSBT.
struct TxImportVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Store a PSBT; one of a stored transaction is combined with it.",
        discussion: """
            Signatures that are in it must be valid. A PSBT that contradicts the stored one of the same transaction is \
            refused, and nothing is changed.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The PSBT: binary, Base64 or hexadecimal; - for standard input.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("What you want to be reminded of.", valueName: "text"))
    var note: String?

    func run() async throws {
        let network = try options.network()
        let psbt = try SignedFile(input: file, output: file).read()
        let manager = try options.manager()
        try requireValidSignatures(psbt, in: manager.store)
        let (transaction, isNew): (StoredTransaction, Bool)
        do {
            (transaction, isNew) = try manager.store.merge(psbt, network: network, note: note, at: manager.now)
        } catch { throw Failure(error) }
        let shown = StoredTransactionReview(transaction, network: network)
        guard !options.isJSON else {
            JSONAnswer.write(StoredTransactionDocument(shown, isNew: isNew))
            return
        }
        options.console.note(isNew ? "Stored." : "Combined with the stored one.")
        for line in shown.lines(now: manager.now) { options.console.say(line) }
    }

    /// A signature that is not valid would keep the transaction from ever being complete. What a signer stripped of the
    /// coins it spends is judged by what the store knows of them.
    private func requireValidSignatures(_ psbt: PSBT, in store: any Store) throws(Failure) {
        let stored: StoredTransaction?
        do throws(StoreError) { stored = try store.transaction(psbt.unsignedTransaction.id) } catch {
            throw Failure(error)
        }
        // What contradicts the stored one is refused when it is stored.
        let known = stored.flatMap { try? $0.psbt.combined(with: psbt) } ?? psbt
        let digests = SighashCache(psbt.unsignedTransaction)
        for index in psbt.inputs.indices {
            do throws(PSBTError) {
                // Of two signatures by one key the combined PSBT has one only.
                for psbt in [psbt, known] where psbt.hasCoin(ofInput: index) {
                    try psbt.verifySignatures(ofInput: index, using: digests)
                }
                guard known.hasCoin(ofInput: index) || !psbt.inputs[index].hasSignatures else {
                    _ = try known.spending(ofInput: index)
                    continue
                }
            } catch { throw Failure(error, file: file) }
        }
    }
}

extension PSBT.Input {
    fileprivate var hasSignatures: Bool { isFinal || !partialSignatures.isEmpty }
}

extension PSBT {
    /// Whether it is known what an input spends, and by which script.
    fileprivate func hasCoin(ofInput index: Int) -> Bool { (try? spending(ofInput: index)) != nil }

    fileprivate func verifySignatures(ofInput index: Int, using digests: SighashCache) throws(PSBTError) {
        if inputs[index].isFinal {
            _ = try verifyFinalScripts(ofInput: index, using: digests)
        } else if !inputs[index].partialSignatures.isEmpty {
            try verifyPartialSignatures(ofInput: index, using: digests)
        }
    }
}

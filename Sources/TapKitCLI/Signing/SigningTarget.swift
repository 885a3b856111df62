import Bitcoin
import TapManager

/// Where a PSBT comes from, and where its signed form goes.
enum SigningTarget {
    /// An input file and an output file.
    case file(PSBTFiles)
    /// The local store, and a file if one was named.
    case stored(StoredTransaction, copy: PSBTFiles?)

    /// The PSBT, with the signatures from earlier runs.
    func read() throws(Failure) -> PSBT {
        switch self {
        case .file(let files): try files.read()
        case .stored(let transaction, let copy): try copy?.combined(transaction.psbt) ?? transaction.psbt
        }
    }

    /// Checks, before the card signs, that the result can be written.
    func checkWritable() throws(Failure) { try files?.checkWritable() }

    /// Writes the signed PSBT.
    /// - Throws: `Failure`: `.cannotWrite`; `.wouldOverwrite` if the file has become something else.
    func write(_ psbt: PSBT) throws(Failure) {
        do { try files?.output?.write(psbt) } catch { throw Failure(unexpected: error) }
    }

    /// The file with the result; `nil` if there is none.
    var outputName: String? { files?.output?.path }

    /// Whether it is a stored transaction.
    var isStored: Bool { if case .stored = self { true } else { false } }

    /// Whether the result goes only to standard output, so that it must not be lost.
    var isPrinted: Bool { files.map { $0.output == nil } ?? false }

    /// Writes the PSBT to standard output.
    func print(_ psbt: PSBT) { files?.print(psbt) }

    private var files: PSBTFiles? {
        switch self {
        case .file(let files): files
        case .stored(_, let copy): copy
        }
    }
}
